"""Times as other programs write them."""

from datetime import UTC, datetime

_FORMS = ("%Y-%m-%d %H:%M", "%Y-%m-%d")


def parse_timestamp_us(text: str) -> int | None:
    """Microseconds since 1970; None where there is no time in the text. Without a zone it is UTC."""
    stripped = text.strip()
    for form in _FORMS:
        try:
            return _to_epoch_us(datetime.strptime(stripped, form).replace(tzinfo=UTC))
        except ValueError:
            continue
    try:
        read = datetime.fromisoformat(stripped)
    except ValueError:
        return None
    return _to_epoch_us(read if read.tzinfo else read.replace(tzinfo=UTC))


def _to_epoch_us(moment: datetime) -> int | None:
    # Before 1970 and after 9000 it is a slip of the pen.
    seconds = moment.timestamp() if 1970 < moment.year < 9000 else 0
    return int(seconds) * 1_000_000 + moment.microsecond if seconds > 0 else None
