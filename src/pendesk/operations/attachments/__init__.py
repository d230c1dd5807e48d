"""Attachments: files that belong to a spec, a document or a criterion."""
