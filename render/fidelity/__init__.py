"""How close one picture is to another."""
