"""The analyses of a report: each takes rows of verdicts, and returns a table or None."""
