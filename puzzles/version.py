"""The version of the project: it stands here alone."""

VERSION = "0.1.0"
