"""The time. Nothing else in the package asks the machine for it.

Times are whole microseconds since 1970 (UTC): they compare, index and add the same way in Python, SQLite and
PostgreSQL.
"""

import time
from collections.abc import Callable
from datetime import datetime

from pendesk.domain.iso_time import to_iso as to_iso  # the domain writes times too, and asks nobody for them

Clock = Callable[[], int]

MICROSECONDS = 1_000_000


def now_us() -> int:
    return time.time_ns() // 1000


def parse_iso_time_us(text: str) -> int | None:
    """The moment of an ISO 8601 time with its zone; None where the text is none."""
    try:
        moment = datetime.fromisoformat(text)
        return int(moment.timestamp() * MICROSECONDS) if moment.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None
