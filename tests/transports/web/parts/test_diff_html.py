"""A line of code as HTML: nothing in it is taken for markup, and nothing in it is hidden."""

import pytest

from pendesk.transports.web.parts.diff_html import line_html, visible


def test_markup_in_code_is_text():
    assert line_html('<script>alert("&")</script>') == "&lt;script&gt;alert(&#34;&amp;&#34;)&lt;/script&gt;"


def test_colours_and_changed_words_are_marked_together_and_the_text_stays():
    html = line_html("return <total>", "k0-6 f8-13", ((3, 10),))
    assert html == '<i class="k">ret</i><b><i class="k">urn</i> &lt;<i class="f">to</i></b><i class="f">tal</i>&gt;'


def test_colours_beyond_the_line_or_out_of_order_lose_no_text():
    assert line_html("ab", "k5-9") == "ab"
    assert line_html("abcd", "k2-99 s0-3") == 'ab<i class="k">cd</i>'


@pytest.mark.parametrize("character", ["\u202e", "\u2066", "\u200b", "\u200f", "\x1b", "\x07", "\ufeff", "\U000e0041"])
def test_a_character_that_shows_nothing_is_written_out(character):
    html = visible(f"if a{character}: <b>")
    assert character not in html
    assert f">U+{ord(character):04X}</span>: &lt;b&gt;" in html


def test_a_tab_stays_and_a_carriage_return_is_a_sign():
    assert visible("\ta") == "\ta"
    assert visible("a\r") == 'a<span class="line-end" title="Carriage return">␍</span>'
