from pendesk.domain.limits import WORDS_CHARS
from pendesk.transports.markdown.plain_text import plain_text_excerpt


def test_in_a_list_a_text_is_its_words_on_one_line():
    text = "# Why\n\nIt is **slow** and `odd`, see [here](https://o.test).\n\n- one\n- two<b>"
    assert plain_text_excerpt(text) == "Why It is slow and odd, see here. one two<b>"
    assert plain_text_excerpt("a\nb") == "a b"


def test_of_a_long_text_the_words_of_its_beginning_are_taken():
    assert len(plain_text_excerpt("word " * WORDS_CHARS)) <= WORDS_CHARS
