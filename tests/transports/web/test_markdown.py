from html.parser import HTMLParser

import pytest

from pendesk.transports.web.markdown import markdown, markdown_line, words


class Elements(HTMLParser):
    """Every tag with its attributes, as a browser would find them."""

    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


REPOSITORY = "https://github.com/o/r/"


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](data:text/html,hello)",
        "![x](https://evil.test/pixel.png)",
        '[x](https://a.test "onmouseover=alert(1)")',
        "`<b onclick=x>`",
        "```html\n<script>x</script>\n```",
        '<a href="javascript:x" style="color:red">x</a>',
        "<svg/onload=alert(1)>",
        "[x]: javascript:alert(1)\n\n[x]",
    ],
)
def test_nothing_runs_loads_or_styles(text):
    for tag, attributes in Elements(markdown(text)).found:
        assert tag in ("p", "a", "code", "pre", "span")
        assert set(attributes) <= {"href", "title", "class", "rel", "tabindex"}
        assert attributes.get("href", "https://").startswith("https://")


def test_refs_become_links_but_not_within_code_links_or_words():
    html = markdown("See HRB-12, not `HRB-13`, [HRB-14](https://a.test) nor XHRB-15-x.")
    assert html.count("<a ") == 2
    assert '<a href="/a/HRB-12" class="ref"' in html


def test_shas_become_links_where_the_repository_is_known():
    assert 'href="https://github.com/o/r/commit/1a2b3c4d5e"' in markdown("Fixed in 1a2b3c4d5e.", REPOSITORY)
    assert "<a " not in markdown("Fixed in 1a2b3c4d5e.")
    assert "<a " not in markdown("The word deadbeef and the number 12345678.", REPOSITORY)


def test_task_lists_tables_and_code_with_colours():
    html = markdown("- [x] done\n- [ ] open\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```python\nreturn 1\n```")
    assert html.count('type="checkbox"') == 2
    assert html.count("checked") == 1
    assert "<td>1</td>" in html
    assert '<span class="k">return</span>' in html


def test_headings_stand_below_those_of_the_page():
    assert markdown("# One\n\n##### Five") == "<h3>One</h3>\n<h4>Five</h4>\n"


def test_a_line_has_no_paragraph():
    assert markdown_line("`make` exits with *0*") == "<code>make</code> exits with <em>0</em>"


def test_long_code_is_shown_without_colours():
    assert "<span" not in markdown("```python\n" + "x = 1\n" * 5_000 + "```")


def test_in_a_list_a_text_is_its_words_on_one_line():
    text = "# Why\n\nIt is **slow** and `odd`, see [here](https://o.test).\n\n- one\n- two<b>"
    assert words(text) == "Why It is slow and odd, see here. one two<b>"
    assert words("a\nb") == "a b"
