import os
import re
import threading
import time
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk import ids
from pendesk.ids import new_id, parse_id, parse_ref_code_key_and_number

MILLIS = st.integers(0, 2**48 - 1)


def id_at(patch, millis, after=0):
    """The id a process makes at that moment, when `after` stands for the last one it made."""
    patch.setattr(ids, "_last", after)
    patch.setattr(time, "time_ns", lambda: millis * 1_000_000)
    return new_id()


@given(st.integers(0, 2**64 - 1), MILLIS)
def test_an_id_is_a_uuid_of_version_7_in_its_canonical_form_whatever_the_random_bits(bits, millis):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "urandom", lambda count: bits.to_bytes(count))
        result = id_at(patch, millis)
    read = uuid.UUID(result)
    assert str(read) == result
    assert read.version == 7
    assert read.variant == uuid.RFC_4122
    assert read.int >> 80 == millis


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_62_random_bits_are_all_used(one, other):
    def made(bits):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "urandom", lambda count: bits.to_bytes(count))
            return id_at(patch, 1)

    # The variant takes the place of the first two bits; any other difference shows.
    assert (made(one) == made(other)) == (one % 2**62 == other % 2**62)


def test_ids_made_within_one_millisecond_or_while_the_clock_goes_back_sort_in_the_order_they_were_made(monkeypatch):
    moments = iter([5_000_000, 5_000_000, 5_000_000, 4_000_000, 3_000_000])
    monkeypatch.setattr(ids, "_last", 0)
    monkeypatch.setattr(time, "time_ns", lambda: next(moments))
    numbers = [new_id() for _ in range(5)]
    assert numbers == sorted(numbers)


@given(MILLIS, MILLIS)
def test_an_id_made_in_a_later_millisecond_sorts_later(one, other):
    with pytest.MonkeyPatch.context() as patch:
        first, second = id_at(patch, one), id_at(patch, other)
    if one != other:
        assert (first < second) == (one < other)


def test_ids_do_not_repeat():
    assert len({new_id() for _ in range(10_000)}) == 10_000


@given(st.uuids())
def test_a_uuid_is_read_in_any_case_and_with_blanks_around_it(ident):
    assert parse_id(f"  {str(ident).upper()}\n") == str(ident)


@given(st.text(max_size=40))
def test_what_is_read_as_an_id_has_the_canonical_form_and_nothing_else(text):
    read = parse_id(text)
    assert read is None or str(uuid.UUID(read)) == read


@pytest.mark.parametrize(
    "text",
    [
        "",
        "PEN-12",
        "0192f0c1e5b27c3a8d4e9f0a1b2c3d4e",
        "{0192f0c1-e5b2-7c3a-8d4e-9f0a1b2c3d4e}",
        "urn:uuid:0192f0c1-e5b2-7c3a-8d4e-9f0a1b2c3d4e",
        "0192f0c1-e5b2-7c3a-8d4e-9f0a1b2c3d4e\x00",
        "0192f0c1-e5b2-7c3a-8d4e-9f0a1b2c3d4\uff11",
    ],
)
def test_what_only_resembles_a_uuid_is_none(text):
    assert parse_id(text) is None


@pytest.mark.parametrize(
    ("text", "ref"),
    [("PEN-12", ("PEN", 12)), ("pen-12", ("PEN", 12)), (" A1-1 ", ("A1", 1)), ("ABCDEFGHIJ-1", ("ABCDEFGHIJ", 1))],
)
def test_a_ref_code_is_a_key_and_a_number(text, ref):
    assert parse_ref_code_key_and_number(text) == ref


@pytest.mark.parametrize(
    "text",
    [
        "",
        "PEN",
        "PEN-",
        "PEN-0",
        "PEN-012",
        "P-1",
        "1P-1",
        "ABCDEFGHIJK-1",
        "PEN--1",
        "PEN-1.5",
        "PEN-1234567890",
        "PEN 1",
    ],
)
def test_what_is_not_a_ref_code_is_none(text):
    assert parse_ref_code_key_and_number(text) is None


@given(st.text(max_size=12))
def test_a_ref_code_holds_ascii_letters_and_digits_only(text):
    ref = parse_ref_code_key_and_number(text)
    assert ref is None or (re.fullmatch("[A-Z][A-Z0-9]{1,9}", ref[0]) and 0 < ref[1] < 10**9)


@pytest.mark.parametrize("text", ["\u017fo-1", "\ufb01-1", "\u00df-1", "PEN-\u0661\u0662"])
def test_letters_that_only_become_ascii_in_upper_case_are_no_ref_code(text):
    assert parse_ref_code_key_and_number(text) is None


class SlowSum(int):
    """Its first sum waits until another thread has had the chance to draw ids."""

    summing = threading.Event()
    resume = threading.Event()

    def __add__(self, number):
        if not self.summing.is_set():
            self.summing.set()
            self.resume.wait(0.5)  # in vain where threads exclude each other
        return int(self) + number


def test_a_thread_that_pauses_does_not_turn_back_the_ids_of_another(monkeypatch):
    monkeypatch.setattr(time, "time_ns", lambda: 0)  # the clock went back: only the last id counts
    monkeypatch.setattr(ids, "_last", SlowSum(1_000))
    paused = threading.Thread(target=new_id)
    paused.start()
    assert SlowSum.summing.wait(30)
    before = [new_id() for _ in range(3)]
    SlowSum.resume.set()
    paused.join()
    drawn = [*before, new_id()]
    assert drawn == sorted(drawn)
