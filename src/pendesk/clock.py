"""The time. Nothing else in the package asks the machine for it.

Times are whole microseconds since 1970 (UTC): they compare, index and add the same way in Python, SQLite and
PostgreSQL.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], int]

MICROSECONDS = 1_000_000


def now() -> int:
    return time.time_ns() // 1000


def to_iso(moment: int) -> str:
    """The wire form, in milliseconds: `2026-07-28T09:30:00.000Z`."""
    seconds, micros = divmod(moment, MICROSECONDS)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{micros // 1000:03d}Z"


def from_iso(text: str) -> int | None:
    """The moment of an ISO 8601 time with its zone; None where the text is none."""
    try:
        moment = datetime.fromisoformat(text)
        return int(moment.timestamp() * MICROSECONDS) if moment.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None
