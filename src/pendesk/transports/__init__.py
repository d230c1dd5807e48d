"""The ways in: HTTP, and what every request meets on its way to an operation."""
