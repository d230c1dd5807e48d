"""Boards and lists under a name, for one person or for all of a project."""
