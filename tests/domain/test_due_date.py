"""Due dates: days, written in one way only."""

import pytest

from pendesk.domain.due_date import is_overdue, parse_due_date, today, week_from
from pendesk.domain.errors import BadField
from tests.desk import START


@pytest.mark.parametrize("text", ["2026-11-30", "2028-02-29", " 2026-11-30 "])
def test_a_day_stays_as_it_is(text):
    assert parse_due_date(text) == text.strip()


@pytest.mark.parametrize("text", ["", "  "])
def test_nothing_clears_it(text):
    assert parse_due_date(text) == ""


@pytest.mark.parametrize(
    "text",
    ["tomorrow", "30.11.2026", "2026-02-29", "20261130", "2026-W48-1", "2026-11-30T10:00Z", "0000-01-01", "2026-1-1"],
)
def test_anything_else_is_refused_with_how_to_write_it(text):
    with pytest.raises(BadField, match="YYYY-MM-DD"):
        parse_due_date(text)


def test_it_is_overdue_from_the_day_after_until_it_is_closed():
    assert not is_overdue("2027-01-15", "2027-01-15", is_closed=False)
    assert is_overdue("2027-01-14", "2027-01-15", is_closed=False)
    assert not is_overdue("2027-01-14", "2027-01-15", is_closed=True)
    assert not is_overdue(None, "2027-01-15", is_closed=False)


def test_a_week_has_seven_days_and_today_is_the_first():
    assert today(START) == "2027-01-15"
    assert week_from("2027-01-29") == "2027-02-04"
