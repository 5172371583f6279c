"""How instances are put to a model, and its replies judged."""
