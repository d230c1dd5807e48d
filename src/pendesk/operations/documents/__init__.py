"""Documents and notes of a project."""
