"""The axes of the burn-up: steps that people count in."""

from datetime import date, timedelta

import pytest

from pendesk.transports.web.pages.insights import SPANS, count_ticks, date_ticks


@pytest.mark.parametrize(
    ("highest", "ticks"),
    [
        (0, [0, 1]),
        (1, [0, 1]),
        (4, [0, 1, 2, 3, 4]),
        (6, [0, 2, 4, 6]),
        (28, [0, 10, 20, 30]),
        (97, [0, 20, 40, 60, 80, 100]),
        (101, [0, 50, 100, 150]),
        (20_000, [0, 5_000, 10_000, 15_000, 20_000]),
    ],
)
def test_counts_go_up_in_ones_twos_and_fives(highest, ticks):
    assert count_ticks(highest) == ticks


def test_any_count_has_few_ticks_and_none_is_far_above_it():
    for highest in range(1, 3_000):
        ticks = count_ticks(highest)
        assert 2 <= len(ticks) <= 6
        assert ticks[-2] < highest <= ticks[-1]


@pytest.mark.parametrize("span", SPANS)
def test_dates_are_days_mondays_or_firsts_of_months_and_few(span):
    days = [date(2026, 11, 19) - timedelta(back) for back in reversed(range(span))]
    chosen = [days[number] for number in date_ticks([day.isoformat() for day in days])]
    assert 4 <= len(chosen) <= 7
    if span == 30:
        assert {day.weekday() for day in chosen} == {0}
    if span == 365:
        assert {day.day for day in chosen} == {1}
