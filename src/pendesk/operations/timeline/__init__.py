"""The one log, read and sealed."""
