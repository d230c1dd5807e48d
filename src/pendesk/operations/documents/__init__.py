"""Documents and notes of a project, and comments on them."""
