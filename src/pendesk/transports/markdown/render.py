"""Markdown to HTML that is safe to show: agents and guests write much of it.

Two fences: the parser lets no HTML through, and what it made passes an allow list. Refs such as HRB-12 become links.
What it costs is bounded by what the text asks for (cells, links, colours, output), not only by its length; what is
left grows with the length, at up to ten microseconds a character, which is why a process of its own does it.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

from pendesk.domain.limits import HTML_CHARS
from pendesk.transports.markdown.colours import drop_costly_highlighting, highlight_code
from pendesk.transports.markdown.job import RenderJob
from pendesk.transports.markdown.links import LINKIFY, linkify_rule
from pendesk.transports.markdown.tables import has_oversized_table, size_limited_table_rule

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
_REF = re.compile(r"(?<![\w/-])([A-Z][A-Z0-9]{1,9}-[SDN]?[1-9][0-9]{0,8})(?![\w-])")
_PAGES = {"S": "/specs/", "D": "/documents/", "N": "/notes/"}  # by what follows the key; else it is an action
_SHA = re.compile(r"(?<![\w/-])(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])([0-9a-f]{7,40})(?![\w-])")
_TASK = re.compile(r"\A\[([ xX])\]\s")
FILES = "/files/"  # images are loaded from here only: another host would learn who reads what


TABLE_AS_TYPED = '<p class="quiet small">A table is too large to draw and is shown as written.</p>\n'


class TooLong(Exception):
    """Its HTML would be longer than a page may be: one reference can stand for a long address many times over."""


def render(job: RenderJob, *, with_highlighting: bool = True) -> str:
    """Raises TooLong."""
    parser = _build_markdown_parser(job.kind, job.repository_url, job.top_heading_level, with_highlighting)
    env: dict[str, Any] = {}
    tokens = parser.parseInline(job.text, env) if job.kind == "line" else parser.parse(job.text, env)
    if sum(_estimated_html_lengths(tokens)) > HTML_CHARS:
        raise TooLong
    html = _make_code_and_tables_focusable(_sanitize(parser.renderer.render(tokens, parser.options, env)))
    return TABLE_AS_TYPED + html if has_oversized_table(env) else html


def _estimated_html_lengths(tokens: list[Token]) -> Iterator[int]:
    for token in tokens:
        yield len(token.tag) + 4 + len(token.content) + sum(len(str(value)) for value in token.attrs.values())
        yield from _estimated_html_lengths(token.children or [])


def _make_code_and_tables_focusable(html: str) -> str:
    """What may be wider than the page scrolls by itself, and so must be reached by the keyboard."""
    for tag in ("pre", "table"):
        html = html.replace(f"<{tag}>", f'<{tag} tabindex="0">')
    return html


def _sanitize(html: str) -> str:
    return nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES,
        attribute_filter=_drop_external_image_src,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener nofollow",
    )


def _drop_external_image_src(tag: str, attribute: str, value: str) -> str | None:
    return None if (tag, attribute) == ("img", "src") and not value.startswith(FILES) else value


@lru_cache(100)
def _build_markdown_parser(
    text_kind: str, repository_url: str | None, top_heading_level: int, with_highlighting: bool
) -> MarkdownIt:
    parser = MarkdownIt("gfm-like", {"html": False, "highlight": highlight_code if with_highlighting else None})
    parser.linkify = LINKIFY
    parser.inline.ruler.at("linkify", linkify_rule)
    parser.block.ruler.at("table", size_limited_table_rule, {"alt": ["paragraph", "reference"]})
    rules = parser.core.ruler
    if text_kind == "guest":
        parser.disable("image")  # refs stay words and images links: a guest cannot open them
    else:
        rules.push("refs", lambda state: _replace_inline_children(state.tokens, _ref_and_commit_linker(repository_url)))
        rules.push("images", lambda state: _replace_inline_children(state.tokens, _replace_external_images_with_links))
    rules.push("tasks", lambda state: _add_checkboxes(state.tokens))
    rules.push("headings", lambda state: _normalize_heading_levels(state.tokens, top_heading_level))
    rules.push("colours", lambda state: drop_costly_highlighting(state.tokens))
    return parser


def _replace_inline_children(tokens: list[Token], replace: Callable[[list[Token]], list[Token]]) -> None:
    for token in tokens:
        if token.type == "inline" and token.children:
            token.children = replace(token.children)


def _ref_and_commit_linker(repository_url: str | None) -> Callable[[list[Token]], list[Token]]:
    def change(children: list[Token]) -> list[Token]:
        tokens: list[Token] = []
        within_link = 0
        for child in children:
            within_link += {"link_open": 1, "link_close": -1}.get(child.type, 0)
            tokens += (
                _link_refs_and_commits(child, repository_url) if child.type == "text" and not within_link else [child]
            )
        return tokens

    return change


def _link_refs_and_commits(text_token: Token, repository_url: str | None) -> list[Token]:
    tokens: list[Token] = []
    pieces = re.split(f"({_REF.pattern}|{_SHA.pattern})" if repository_url else f"({_REF.pattern})", text_token.content)
    groups = 4 if repository_url else 3
    for index in range(0, len(pieces), groups):
        if pieces[index]:
            tokens.append(_text_token(pieces[index]))
        if index + 1 < len(pieces):
            tokens += _ref_or_commit_link_tokens(pieces[index + 1], repository_url)
    return tokens


def _ref_or_commit_link_tokens(ref_or_sha: str, repository_url: str | None) -> list[Token]:
    is_ref = _REF.fullmatch(ref_or_sha) is not None
    page = _PAGES.get(ref_or_sha.partition("-")[2][:1], "/a/")
    address = f"{page}{ref_or_sha}" if is_ref else f"{(repository_url or '').rstrip('/')}/commit/{ref_or_sha}"
    opened = Token("link_open", "a", 1, attrs={"href": address, "class": "ref" if is_ref else "sha"})
    return [opened, _text_token(ref_or_sha if is_ref else ref_or_sha[:10]), Token("link_close", "a", -1)]


def _text_token(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _add_checkboxes(tokens: list[Token]) -> None:
    for index, token in enumerate(tokens[2:], 2):
        if token.type != "inline" or tokens[index - 2].type != "list_item_open" or not token.children:
            continue
        first = token.children[0]
        checkbox = _TASK.match(first.content) if first.type == "text" else None
        if checkbox:
            first.content = first.content[checkbox.end() :]
            box = Token("html_inline", "", 0, content=_checkbox_html(checkbox[1] != " "))
            token.children.insert(0, box)
            tokens[index - 2].attrSet("class", "task")


def _checkbox_html(checked: bool) -> str:
    label = "done" if checked else "not done"
    return f'<input type="checkbox" disabled aria-label="{label}"{" checked" if checked else ""}> '


def _normalize_heading_levels(tokens: list[Token], top_level: int) -> None:
    """The largest becomes `top_level`, and none skips a level, however the text was written."""
    headings = [token for token in tokens if token.type in ("heading_open", "heading_close")]
    largest = min((int(token.tag[1]) for token in headings), default=1)
    level = top_level - 1
    for token in headings:
        if token.type == "heading_open":
            level = min(6, level + 1, top_level + int(token.tag[1]) - largest)
        token.tag = f"h{level}"


def _replace_external_images_with_links(children: list[Token]) -> list[Token]:
    """An image from another host is shown as a link to it."""
    tokens: list[Token] = []
    for child in children:
        address = str(child.attrGet("src") or "") if child.type == "image" else ""
        if child.type != "image" or address.startswith(FILES):
            tokens.append(child)
        else:
            opened = Token("link_open", "a", 1, attrs={"href": address})
            tokens += [opened, _text_token(child.content or address), Token("link_close", "a", -1)]
    return tokens
