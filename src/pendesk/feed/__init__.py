"""Wakes those who wait for news of a workspace. Carries no data: who is woken reads the log."""
