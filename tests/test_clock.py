import time
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from pendesk.clock import now_us, to_iso

MOMENTS = st.integers(0, 4_000_000_000_000_000)  # 1970 to 2096


def test_now_is_the_machines_time_in_microseconds():
    before = time.time_ns() // 1_000
    assert before <= now_us() <= time.time_ns() // 1_000


def test_the_wire_form_is_utc_in_milliseconds():
    assert to_iso(0) == "1970-01-01T00:00:00.000Z"
    assert to_iso(1_785_231_000_123_999) == "2026-07-28T09:30:00.123Z"


@given(MOMENTS)
def test_the_wire_form_reads_back_to_the_same_millisecond(moment):
    read = datetime.fromisoformat(to_iso(moment))
    assert read.tzinfo is UTC
    assert round(read.timestamp() * 1_000) == moment // 1_000


@given(MOMENTS, MOMENTS)
def test_a_later_moment_never_sorts_earlier_on_the_wire(one, other):
    assert (to_iso(min(one, other))) <= to_iso(max(one, other))
