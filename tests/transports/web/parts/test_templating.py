import pytest

from pendesk import clock
from pendesk.clock import to_iso
from pendesk.domain.limits import Limits
from pendesk.transports.web.parts.templating import (
    claim_label,
    format_duration,
    format_elapsed,
    render_clock_time_tag,
    render_elapsed_time_tag,
)
from tests.desk import START


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-3, "0 s"), (0.4, "0 s"), (59.9, "59 s"), (60, "1 min"), (3_599, "59 min"), (7_300, "2 h"), (200_000, "2 d")],
)
def test_what_has_elapsed_is_never_rounded_up(seconds, text):
    assert format_elapsed(seconds) == text


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [(0, "0 ms"), (999, "999 ms"), (1_000, "1.0 s"), (59_940, "59.9 s"), (61_000, "1 min 1 s")],
)
def test_a_duration_has_the_unit_that_it_needs(milliseconds, text):
    assert format_duration(milliseconds) == text


@pytest.mark.parametrize(
    ("minutes", "state", "label"),
    [
        (1, "live", "live"),
        (2, "live", "aging"),
        (5, "live", "stale"),
        (9, "quiet", "quiet"),
        (40, "expired", "expired"),
    ],
)
def test_working_ages_with_the_last_sign_of_life(monkeypatch, minutes, state, label):
    monkeypatch.setattr(clock, "now_us", lambda: START + minutes * 60_000_000)
    assert claim_label(to_iso(START), state, Limits()) == label
    assert claim_label("", state, Limits()) == state


def test_the_script_of_the_page_finds_the_times_that_it_keeps_true(monkeypatch):
    monkeypatch.setattr(clock, "now_us", lambda: START + 250_000_000)
    assert render_elapsed_time_tag(to_iso(START)).endswith(" data-elapsed>4 min</time>")
    assert render_clock_time_tag("2026-11-16T14:03:59Z") == (
        '<time datetime="2026-11-16T14:03:59Z" title="Mon 16 Nov 2026, 14:03:59 UTC" data-clock>14:03 UTC</time>'
    )
