"""Markdown to HTML that is safe to show: agents and guests write much of it.

Two fences: the parser lets no HTML through, and what it made passes an allow list. Refs such as HRB-12 become links.
"""

import re
from collections.abc import Callable

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

CODE_CHARS = 20_000  # longer code is shown without colours: they cost more than they tell
TAGS = {
    *("p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em"),
    *("strong", "s", "a", "table", "thead", "tbody", "tr", "th", "td", "div", "span", "input", "img"),
}
ATTRIBUTES = {
    "a": {"href", "title", "class"},
    "code": {"class"},
    "span": {"class"},
    "div": {"class"},
    "li": {"class"},
    "ul": {"class"},
    "ol": {"start", "class"},
    "img": {"src", "alt", "title"},
    "th": {"align"},
    "td": {"align"},
    "input": {"type", "checked", "disabled", "class", "aria-label"},
}
_REF = re.compile(r"(?<![\w/-])([A-Z][A-Z0-9]{1,9}-[1-9][0-9]{0,8})(?![\w-])")
_SHA = re.compile(r"(?<![\w/-])(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])([0-9a-f]{7,40})(?![\w-])")
_TASK = re.compile(r"\A\[([ xX])\]\s")
SECTION = 3  # a page has one h1, and its sections are h2
FILES = "/files/"  # pictures come from here alone: one of another host would tell it who reads what


def markdown(text: str, repository_url: str | None = None, top: int = SECTION) -> Markup:
    """`top` is the level of its own headings: they fit in below those of the page."""
    return _reachable(_cleaned(_parser(repository_url, top).render(text)))


def markdown_outside(text: str) -> Markup:
    """For guests: refs stay words and pictures links, since a guest cannot open what they lead to."""
    return _reachable(_cleaned(_OUTSIDE.render(text)))


def _reachable(html: str) -> Markup:
    """What may be wider than the page scrolls by itself, and so must be reached by the keyboard."""
    for tag in ("pre", "table"):
        html = html.replace(f"<{tag}>", f'<{tag} tabindex="0">')
    return Markup(html)  # noqa: S704 - the allow list has been applied


def markdown_line(text: str, repository_url: str | None = None) -> Markup:
    """Without paragraphs: for one-line texts such as criteria."""
    return Markup(_cleaned(_parser(repository_url, SECTION).renderInline(text)))  # noqa: S704


def words(text: str) -> str:
    """What it says, on one line and without its marks: for lists."""
    inlines = [token.children or [] for token in _WORDS.parse(text) if token.type == "inline"]
    return " ".join(
        "".join(" " if child.type.endswith("break") else child.content for child in children) for children in inlines
    )


def _cleaned(html: str) -> str:
    return nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES,
        attribute_filter=_own_source,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener nofollow",
    )


def _own_source(tag: str, attribute: str, value: str) -> str | None:
    return None if (tag, attribute) == ("img", "src") and not value.startswith(FILES) else value


def _coloured(code: str, language: str, _attributes: str) -> str:
    try:
        lexer = get_lexer_by_name(language.strip() or "text", stripnl=False)
    except ClassNotFound:
        return ""
    return str(highlight(code, lexer, HtmlFormatter(nowrap=True))) if len(code) <= CODE_CHARS else ""


def _parser(repository_url: str | None, top: int) -> MarkdownIt:
    made = _PARSERS.get((repository_url, top))
    if made is None:
        made = _plain_parser(top)
        made.core.ruler.before("tasks", "refs", lambda state: _each_inline(state.tokens, _linked(repository_url)))
        made.core.ruler.before("tasks", "pictures", lambda state: _each_inline(state.tokens, _own_pictures))
        if len(_PARSERS) < 100:
            _PARSERS[repository_url, top] = made
    return made


def _plain_parser(top: int) -> MarkdownIt:
    made = MarkdownIt("gfm-like", {"html": False, "highlight": _coloured})
    made.core.ruler.push("tasks", lambda state: _tick_boxes(state.tokens))
    made.core.ruler.push("headings", lambda state: _fit_headings(state.tokens, top))
    return made


_PARSERS: dict[tuple[str | None, int], MarkdownIt] = {}
_OUTSIDE = _plain_parser(SECTION).disable("image")
_WORDS = MarkdownIt("gfm-like", {"html": False})


def _each_inline(tokens: list[Token], change: Callable[[list[Token]], list[Token]]) -> None:
    for token in tokens:
        if token.type == "inline" and token.children:
            token.children = change(token.children)


def _linked(repository_url: str | None) -> Callable[[list[Token]], list[Token]]:
    def change(children: list[Token]) -> list[Token]:
        made: list[Token] = []
        within_link = 0
        for child in children:
            within_link += {"link_open": 1, "link_close": -1}.get(child.type, 0)
            made += _split(child, repository_url) if child.type == "text" and not within_link else [child]
        return made

    return change


def _split(child: Token, repository_url: str | None) -> list[Token]:
    made: list[Token] = []
    pieces = re.split(f"({_REF.pattern}|{_SHA.pattern})" if repository_url else f"({_REF.pattern})", child.content)
    groups = 4 if repository_url else 3
    for index in range(0, len(pieces), groups):
        if pieces[index]:
            made.append(_text(pieces[index]))
        if index + 1 < len(pieces):
            made += _link(pieces[index + 1], repository_url)
    return made


def _link(word: str, repository_url: str | None) -> list[Token]:
    is_ref = _REF.fullmatch(word) is not None
    address = f"/a/{word}" if is_ref else f"{(repository_url or '').rstrip('/')}/commit/{word}"
    opened = Token("link_open", "a", 1, attrs={"href": address, "class": "ref" if is_ref else "sha"})
    return [opened, _text(word if is_ref else word[:10]), Token("link_close", "a", -1)]


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _tick_boxes(tokens: list[Token]) -> None:
    for index, token in enumerate(tokens[2:], 2):
        if token.type != "inline" or tokens[index - 2].type != "list_item_open" or not token.children:
            continue
        first = token.children[0]
        found = _TASK.match(first.content) if first.type == "text" else None
        if found:
            first.content = first.content[found.end() :]
            box = Token("html_inline", "", 0, content=_box(found[1] != " "))
            token.children.insert(0, box)
            tokens[index - 2].attrSet("class", "task")


def _box(ticked: bool) -> str:
    said = "done" if ticked else "not done"
    return f'<input type="checkbox" disabled aria-label="{said}"{" checked" if ticked else ""}> '


def _fit_headings(tokens: list[Token], top: int) -> None:
    """The largest becomes `top`, and none skips a level, however the text was written."""
    headings = [token for token in tokens if token.type in ("heading_open", "heading_close")]
    largest = min((int(token.tag[1]) for token in headings), default=1)
    level = top - 1
    for token in headings:
        if token.type == "heading_open":
            level = min(6, level + 1, top + int(token.tag[1]) - largest)
        token.tag = f"h{level}"


def _own_pictures(children: list[Token]) -> list[Token]:
    """A picture from elsewhere is shown as a link to it."""
    made: list[Token] = []
    for child in children:
        address = str(child.attrGet("src") or "") if child.type == "image" else ""
        if child.type != "image" or address.startswith(FILES):
            made.append(child)
        else:
            opened = Token("link_open", "a", 1, attrs={"href": address})
            made += [opened, _text(child.content or address), Token("link_close", "a", -1)]
    return made
