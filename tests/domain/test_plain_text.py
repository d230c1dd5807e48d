"""What a list or an excerpt shows of a Markdown text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.plain_text import without_markdown


def test_in_a_list_a_text_is_its_words_on_one_line():
    text = "# Why\n\nIt is **slow** and `odd`, see [here](https://o.test).\n\n- one\n- two<b>"
    assert without_markdown(text) == "Why It is slow and odd, see here. one two<b>"
    assert without_markdown("a\nb") == "a b"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("***Both***, __strong__, _slanted_ and ~~gone~~", "Both, strong, slanted and gone"),
        ("**a `b_c*` d**", "a b_c* d"),
        ("**bold _and_ slanted**", "bold and slanted"),
        ("> - [x] done\n> - [ ] open", "done open"),
        ("1. one\n2) two", "one two"),
        ("| Tide | Hour |\n|---|:--:|\n| high | 12 |", "Tide Hour high 12"),
        ('![A pier](/files/1.png "At noon") [x](y)', "A pier x"),
        ("```python\ntide = 1\n```\nafter", "tide = 1 after"),
        ("Title\n=====\ntext\n\n---\nmore", "Title text more"),
        ("see <https://o.test/a_b_c>", "see https://o.test/a_b_c"),
        (r"\*not slanted\* and \# no title", "*not slanted* and # no title"),
    ],
)
def test_marks_are_left_out(text, words):
    assert without_markdown(text) == words


@pytest.mark.parametrize(
    "text",
    [
        "snake_case_name and _private",
        "select count(*) from tides where a*b > 2 * 3",
        "src/**/*.py and *.md",
        "a||b and array[0]",
        "C# and #12, 5 > 4, -5 degrees",
        "it's 10~20 m",
        "a <b>bold</b> claim",
    ],
)
def test_what_is_no_mark_stays(text):
    assert without_markdown(text) == text


@given(st.text())
def test_no_word_is_added(text):
    assert len(without_markdown(text)) <= len(text)
