from html.parser import HTMLParser

import pytest

from pendesk.domain.limits import COLOURED_CHARS, HTML_CHARS, LINKED_WORD_CHARS, TABLE_CELLS
from pendesk.transports.markdown.colours import LINEAR, SQUARE, SQUARE_WEIGHT, highlight_code
from pendesk.transports.markdown.job import SECTION, RenderJob
from pendesk.transports.markdown.render import TooLong, render


class Elements(HTMLParser):
    """Every tag with its attributes, as a browser would find them."""

    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def markdown(text, repository_url=None, top=SECTION):
    return render(RenderJob("text", text, repository_url, top))


def markdown_line(text):
    return render(RenderJob("line", text))


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


def test_headings_fit_in_below_those_of_the_page_and_skip_no_level():
    assert [f"<h{level}>" in markdown("# A\n\n### B\n\n# C") for level in (1, 3, 4, 5)] == [False, True, True, False]
    assert "<h2>A</h2>" in markdown("### A", None, 2)


def test_a_picture_is_ours_or_a_link():
    assert '<img src="/files/1" alt="shot"' in markdown("![shot](/files/1)")
    foreign = markdown("![shot](https://elsewhere.test/x.png)")
    assert "<img" not in foreign
    assert 'href="https://elsewhere.test/x.png"' in foreign


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "[x](javascript:alert(1))", "![x](javascript:alert(1))", "<img src=/files/1>"]
)
def test_what_could_run_does_not(text):
    html = markdown(text)
    assert "<script" not in html
    assert 'href="javascript' not in html
    assert "<img" not in html


def test_code_is_coloured_and_reached_by_the_keyboard():
    html = markdown("```python\nx = 1\n```")
    assert '<pre tabindex="0">' in html
    assert '<span class="n">x</span>' in html


def table(columns, rows):
    return "|" * (columns + 1) + "\n" + "|-" * columns + "|\n" + "|\n" * rows


def test_a_table_has_so_many_cells_at_most_and_beyond_is_shown_as_typed():
    assert markdown(f"a|b\n-|-\n{'c|d' * 2}").count("<td") == 2
    refused = markdown(table(300, 220))
    assert "<td" not in refused
    assert "A table is too large to draw" in refused
    assert "too large" not in markdown(table(10, 20))
    assert markdown(table(10, TABLE_CELLS // 20)).count("<td") == TABLE_CELLS // 2


def test_many_small_tables_have_so_many_cells_together():
    html = markdown("\n\n".join([table(50, 20)] * 100))
    assert 0 < html.count("<td") + html.count("<th") <= TABLE_CELLS


def test_after_a_refused_table_no_line_is_counted_again(monkeypatch):
    counted = []

    def too_many(*_):
        counted.append(1)
        return TABLE_CELLS + 1

    monkeypatch.setattr("pendesk.transports.markdown.tables._max_row_count", too_many)
    markdown("|a|\n|-|\n" * 1_000)
    assert len(counted) == 1


def test_a_word_longer_than_addresses_are_is_not_searched_for_links():
    address = "https://a.test/"
    assert markdown(f"see {address}x.").count("<a ") == 1
    assert markdown(address.ljust(LINKED_WORD_CHARS, "x")).count("<a ") == 1
    assert markdown(address.ljust(LINKED_WORD_CHARS + 1, "x")).count("<a ") == 0
    for start in ("http://a.b/(", "www.a.test/["):  # at most the end of it, which is no longer than an address
        assert markdown(start * 4_000).count("<a ") <= LINKED_WORD_CHARS // len(start)


def test_an_address_is_looked_at_up_to_the_length_that_addresses_have(monkeypatch):
    seen = []
    monkeypatch.setattr("linkify_it.LinkifyIt.match_at_start", lambda _self, text: seen.append(len(text)))
    markdown("http://a.b/( " * 1_000)
    assert len(seen) == 1_000
    assert max(seen) <= LINKED_WORD_CHARS + 1


def test_one_long_address_named_many_times_is_too_long():
    with pytest.raises(TooLong):
        markdown(f"[a]: https://a.test/{'x' * 2_000}\n\n" + "[a] " * (HTML_CHARS // 2_000))


@pytest.mark.parametrize("language", ["singularity", "pike", "gnuplot", "usd", "nonsense", "python/", "PYTHON3.11"])
def test_code_in_a_language_that_is_not_listed_has_no_colours(language):
    assert "<span" not in markdown(f"```{language}\nif 1: return 'x'\n```")


@pytest.mark.parametrize("code", ["\n" * 100, " \n" * 100, "a." * 1_000, "x = 1\n" * (COLOURED_CHARS // 6 + 1)])
def test_what_no_person_writes_has_no_colours(code):
    assert "<span" not in markdown(f"```python\nreturn 1\n{code}\n```")


def test_colours_end_where_the_code_of_a_text_is_long_together():
    fence = "```python\n" + "x = 1\n" * (COLOURED_CHARS // 18) + "```\n\n"
    html = markdown(fence * 5)
    assert html.count("<pre") == 5
    assert sum('<span class="n">' in block for block in html.split("<pre")) == 3


def test_less_code_is_coloured_in_languages_whose_cost_grows_with_the_square():
    code = "x = 1\n" * (COLOURED_CHARS // 6 // SQUARE_WEIGHT)
    assert "<span" in markdown(f"```java\n{code}```")
    assert "<span" not in markdown(f"```java\n{code}x = 1\n```")
    assert "<span" in markdown(f"```python\n{code}x = 1\n```")


@pytest.mark.parametrize("language", sorted(LINEAR | SQUARE))
def test_every_listed_language_has_colours(language):
    assert render(RenderJob("text", f"```{language}\nx = 1\n```"))
    assert highlight_code("x = 1\n", language, "")


def test_for_guests_refs_stay_words_and_pictures_links():
    html = render(RenderJob("guest", "HRB-12 ![x](/files/1)"))
    assert "<img" not in html
    assert 'class="ref"' not in html


def test_colours_can_be_left_out():
    assert "<span" not in render(RenderJob("text", "```python\nreturn 1\n```"), with_highlighting=False)
