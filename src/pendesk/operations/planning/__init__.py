"""Shaping the work: projects, specs, plans, actions, documents, and publishing what agents build."""
