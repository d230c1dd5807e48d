from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.errors import BadField
from pendesk.domain.exchange import front_matter
from tests.refusals import refused


def read(*lines):
    return front_matter.parse_front_matter("a.md", list(lines))


def test_texts_plain_and_in_quotes():
    head = read("a: one  # not this", "b: 'it''s: # this'", r'c: "two\nlines \"q\" é"', "d: null", "e:", "# f: 1")
    assert head.texts == {"a": "one", "b": "it's: # this", "c": 'two\nlines "q" é', "d": "", "e": ""}


def test_lists_in_brackets_and_one_a_line():
    head = read("a: [x, 'y, z', \"w\"]", "b:", "  - one", "  - 'two: 2'", "c:", "- three", "d: []")
    assert head.lists == {"a": ["x", "y, z", "w"], "b": ["one", "two: 2"], "c": ["three"], "d": []}
    assert head.list_items("a") == ["x", "y, z", "w"]


def test_a_single_text_counts_as_a_list_of_one():
    assert read("a: x").list_items("a") == ["x"]
    assert read("a: x").list_items("b") == []


def test_block_texts():
    head = read("a: |", "  one", "    two", "", "  three", "b: >-", "  one", "  two", "c: x")
    assert head.texts == {"a": "one\n  two\n\nthree", "b": "one two", "c": "x"}


def test_a_file_without_a_head_is_all_body():
    head, body = front_matter.split_front_matter_and_body("a.md", "# Title\n---\n")
    assert (head.texts, body) == ({}, "# Title\n---\n")


@pytest.mark.parametrize(
    "line", ["a: *b", "a: !tag x", "a: {b: c}", "a: [b, [c]]", "a: [b", "a: 'b", "- a", "  a: b", "just words"]
)
def test_what_is_not_read_is_refused_by_its_line(line):
    with refused(BadField, "bad_field", "a.md, line 1"):
        read(line)


@given(st.text(alphabet=st.sampled_from("ab:-[]{}'\"\\|>#&*!,\n \t~é"), max_size=60))
def test_whatever_stands_there_it_is_read_or_refused(text):
    with suppress(BadField):
        front_matter.split_front_matter_and_body("a.md", f"---\n{text}\n---\nbody")


def test_a_colon_needs_a_blank_behind_it_and_a_name_before_it():
    assert read("a b-c  : d: e").texts == {"a b-c": "d: e"}
    for line in ("a:b", "a", ": b", "a.b: c", "1a: b", " a: b"):
        with pytest.raises(BadField):
            read(line)


def test_a_line_is_only_so_long():
    with refused(BadField, None, "longer"):
        read("a: [" + "," * 100_000 + "]")
