"""The time. Nothing else in the package asks the machine for it.

Times are whole microseconds since 1970 (UTC): they compare, index and add the same way in Python, SQLite and
PostgreSQL.
"""

import time
from collections.abc import Callable
from datetime import datetime, timedelta

Clock = Callable[[], int]

MICROSECONDS = 1_000_000
EPOCH = datetime(1970, 1, 1)  # in UTC; naive, so that its text has no offset


def now_us() -> int:
    return time.time_ns() // 1000


def to_iso(time_us: int) -> str:
    """The wire form, in milliseconds: `2026-07-28T09:30:00.000Z`."""
    # Not strftime: it costs ten times as much, and every answer has a time in it.
    return (EPOCH + timedelta(microseconds=time_us)).isoformat(timespec="milliseconds") + "Z"


def parse_iso_time_us(text: str) -> int | None:
    """The moment of an ISO 8601 time with its zone; None where the text is none."""
    try:
        moment = datetime.fromisoformat(text)
        return int(moment.timestamp() * MICROSECONDS) if moment.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None
