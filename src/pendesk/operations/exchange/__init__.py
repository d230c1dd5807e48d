"""Whole projects out of a workspace and into one."""
