"""The same episodes as environments of trainers and harnesses, each for a package of its own."""
