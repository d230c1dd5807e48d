"""Agent sessions: what their hooks report, and what people do to them while they work."""
