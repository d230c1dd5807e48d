"""What hides in a text, and what only looks as if it did."""

import pytest

from pendesk.domain.hidden_characters import (
    describe_hidden,
    has_hidden,
    has_turning,
    mark_hidden,
    remove_hidden,
    split_at_hidden,
)

TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "delete all")

SMUGGLED = {
    "tags": (f"Fix it{TAGS}.", "Fix it[U+E0064 +9]."),
    "an override": ("a\u202eb", "a[U+202E]b"),
    "an isolate": ("a\u2066b\u2069", "a[U+2066]b[U+2069]"),
    "a zero width space": ("pass\u200bword", "pass[U+200B]word"),
    "a joiner between Latin letters": ("a\u200db", "a[U+200D]b"),
    "a mark of direction in a Latin text": ("a\u200eb", "a[U+200E]b"),
    "two marks of direction in a Hebrew text": ("שלום\u200e\u200f!", "שלום[U+200E +1]!"),
    "selectors behind an emoji": ("😀\ufe0f\U000e0110\U000e0121", "😀\ufe0f[U+E0110 +1]"),
    "two emoji selectors": ("❤\ufe0f\ufe0f", "❤[U+FE0F +1]"),
    "a selector behind a letter": ("a\ufe00", "a[U+FE00]"),
    "selectors behind an ideograph": ("葛\U000e0100\U000e0101", "葛[U+E0100 +1]"),
    "tags behind a flag that are no region": (f"🏴{TAGS}\U000e007f", "🏴[U+E0064 +10]"),
    "a byte order mark within": ("a\ufeffb", "a[U+FEFF]b"),
    "a soft hyphen": ("a\u00adb", "a[U+00AD]b"),
    "a Hangul filler": ("a\u3164b", "a[U+3164]b"),
    "a word joiner": ("a\u2060b", "a[U+2060]b"),
    "a control of the second set": ("a\u009bb", "a[U+009B]b"),
    "a line separator": ("a\u2028b", "a[U+2028]b"),
}

NEEDED = {
    "a family": "👨‍👩‍👧‍👦 came",
    "a heart": "I ❤️ it",
    "a heart on fire": "❤️‍🔥",
    "a rainbow flag": "🏳️‍🌈",
    "a skin tone and a joiner": "👩🏽‍💻",
    "a keycap": "1️⃣ first",
    "the flag of Scotland": "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "a Persian word": "می‌خواهم",
    "a Hindi word": "क्‍ष",
    "a Sinhala word": "ශ්‍රී",
    "Hebrew with a mark of direction": "שלום!\u200f PEN-1",
    "a name with a chosen form": "葛\U000e0100城",
    "lines and tabs": "a\tb\r\nc",
    "a text without any": "Plain, “quoted” … 漢字 naïve",
}


@pytest.mark.parametrize("case", SMUGGLED)
def test_what_is_hidden_gets_a_mark_and_can_be_removed(case):
    text, marked = SMUGGLED[case]
    assert mark_hidden(text) == marked
    assert has_hidden(text)
    assert not has_hidden(remove_hidden(text))
    assert "".join(piece for piece, _ in split_at_hidden(text)) == text


@pytest.mark.parametrize("case", NEEDED)
def test_what_writing_needs_stays_as_it_is(case):
    text = NEEDED[case]
    assert mark_hidden(text) == text
    assert remove_hidden(text) == text
    assert not has_hidden(text)


def test_removing_one_does_not_leave_another_hidden():
    assert not has_hidden(remove_hidden("ש\u200f\u202ea\u200d\u200bb\u200e\u200e"))


def test_only_what_turns_the_order_is_called_turning():
    assert has_turning("a\u202eb")
    assert not has_turning("a\u200bb")


def test_a_description_names_each_kind_once_with_its_number():
    assert describe_hidden("a\u200bb\u200bc\u202e") == "U+202E right-to-left override (1), U+200B zero width space (2)"
    assert describe_hidden(f"a{TAGS}").endswith(", 3 more kinds")
    assert describe_hidden("plain") == ""


def test_a_long_run_is_one_short_mark():
    assert mark_hidden("a" + "\U000e0041" * 50_000) == "a[U+E0041 +49999]"


def test_those_that_turn_the_text_are_named_before_more_frequent_ones():
    text = "a" + "\u200b" * 3 + "b" + "\u2060" * 2 + "c" + "\u00ad" * 2 + "d\u202e"
    assert describe_hidden(text).startswith("U+202E right-to-left override (1), U+200B zero width space (3)")
