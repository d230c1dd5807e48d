"""The settings: one file per page."""
