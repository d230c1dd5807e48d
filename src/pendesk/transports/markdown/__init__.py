"""Markdown as HTML: its work bounded, done in a process of its own, and remembered by content."""
