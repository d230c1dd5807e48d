"""Watching actions, specs and projects."""
