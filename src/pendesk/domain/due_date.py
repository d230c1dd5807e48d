"""Until when an action is to be done: a day, the same everywhere. Today is the store's, in UTC."""

from datetime import date, timedelta

from pendesk.domain.errors import BadField
from pendesk.domain.iso_time import to_iso

DAYS_IN_WEEK = 7


def parse_due_date(text: str) -> str:
    """The day as it is stored; an empty text, which clears it, stays empty."""
    text = text.strip()
    if not text:
        return text
    if not is_day(text):
        raise BadField("due", f'"{text}" is not a day. Send it as YYYY-MM-DD, such as 2026-11-30, or "" to clear it.')
    return text


def is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def today(now_us: int) -> str:
    return to_iso(now_us)[:10]


def week_from(day: str) -> str:
    """The last of the seven days that begin with this one."""
    return (date.fromisoformat(day) + timedelta(days=DAYS_IN_WEEK - 1)).isoformat()


def is_overdue(due_on: str | None, day: str, *, is_closed: bool) -> bool:
    """From the day after it was due; what is closed is not overdue."""
    return due_on is not None and due_on < day and not is_closed
