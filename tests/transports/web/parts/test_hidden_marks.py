"""Hidden characters are written out wherever a person reads, and stay in what a form sends back."""

from pendesk.transports.web.parts.hidden_marks import mark_hidden_on_page
from pendesk.transports.web.parts.templating import ENVIRONMENT

HIDDEN = "\u202e\U000e0041"
MARK = (
    '<span class="hidden-character" title="Hidden characters: U+202E right-to-left override (1), '
    'U+E0041 tag latin capital letter a (1)">U+202E +1</span>'
)


def test_a_text_gets_a_mark_that_says_what_is_there():
    assert mark_hidden_on_page(f"<p>Sign{HIDDEN} in</p>") == f"<p>Sign{MARK} in</p>"


def test_what_a_form_sends_back_stays_as_it_is():
    form = f'<textarea name="a">x{HIDDEN}<\x21-- --></textarea><input value="{HIDDEN}"><script>"{HIDDEN}"</script>'
    assert mark_hidden_on_page(form) == form


def test_a_tooltip_a_title_and_a_choice_get_the_mark_as_text():
    page = f'<title>A{HIDDEN}</title><a href="/x" title="B{HIDDEN}">b</a><option value="{HIDDEN}">C'
    assert mark_hidden_on_page(page) == (
        f'<title>A[U+202E +1]</title><a href="/x" title="B[U+202E +1]">b</a><option value="{HIDDEN}">C'
    )


def test_an_attribute_that_was_escaped_cannot_end_its_tag():
    source = '<a title="{{ text }}">{{ text }}</a>'
    page = ENVIRONMENT.from_string(source).render(text=f'"><b>{HIDDEN}')
    assert mark_hidden_on_page(page) == (f'<a title="&#34;&gt;&lt;b&gt;[U+202E +1]">&#34;&gt;&lt;b&gt;{MARK}</a>')


def test_emoji_and_words_that_need_joiners_are_left_alone():
    page = "<p>👨‍👩‍👧‍👦 می‌خواهم ❤️</p>"
    assert mark_hidden_on_page(page) == page
