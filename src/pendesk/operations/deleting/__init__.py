"""Deleting, which people alone may do. What was worked with is refused: domain/deletion.py says what to do instead."""
