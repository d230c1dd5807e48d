"""Attachments: files that belong to a spec."""
