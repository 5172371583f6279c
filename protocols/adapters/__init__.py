"""Plug-ins for harnesses that people already use; each imports its harness only when it runs."""
