"""Whole projects and whole databases as files: export, import and backup."""
