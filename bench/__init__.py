"""Measurements: they print figures and assert nothing, because a busy machine would make such a test lie."""
