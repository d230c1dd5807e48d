"""How a moment is written on the wire."""

from datetime import datetime, timedelta

EPOCH = datetime(1970, 1, 1)  # in UTC; naive, so that its text has no offset


def to_iso(time_us: int) -> str:
    """In milliseconds: `2026-07-28T09:30:00.000Z`."""
    # Not strftime: it costs ten times as much, and every answer has a time in it.
    return (EPOCH + timedelta(microseconds=time_us)).isoformat(timespec="milliseconds") + "Z"
