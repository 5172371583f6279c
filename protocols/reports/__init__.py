"""Verdicts turned into the tables that a paper prints; what is heavy is imported by its module."""
