"""Webhooks that go out: the log, told to other servers as it grows."""
