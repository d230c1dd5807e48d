"""GET /api/v1/events: the one log as it grows, by server-sent events. How it works: docs/internals/events.md."""
