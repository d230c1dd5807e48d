"""Rich text of other programs as Markdown: the few elements that editors make. Anything else leaves its words.

By one pattern that never goes back over what it has read: the standard library's parser can be made to read the rest of
a text again for every tag in it.
"""

import html
import re

from pendesk.domain.limits import FOREIGN_LIST_DEPTH

_BLOCKS = {"p", "div", "ul", "ol", "blockquote", "pre", "table", "tr", "h1", "h2", "h3", "h4", "h5", "h6"}
_AROUND = {"strong": "**", "b": "**", "em": "*", "i": "*", "code": "`", "s": "~~", "del": "~~"}
_SILENT = {"script": re.compile("</script", re.IGNORECASE), "style": re.compile("</style", re.IGNORECASE)}
# A comment, a declaration, or a tag. What begins like a tag and does not end like one is text.
_MARKUP = re.compile(
    r"<!--.*?(?:-->|\Z)|<[!?][^<>]*+>?"
    r"""|<(?P<end>/?)(?P<tag>[A-Za-z][A-Za-z0-9]*+)(?P<attributes>(?:[^<>"']|"[^"]*+"|'[^']*+')*+)(?P<closed>>?)""",
    re.DOTALL,
)
_HREF = re.compile(r"""\bhref\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""", re.IGNORECASE)


def html_to_markdown(text: str) -> str:
    """Text that is no HTML stays as it is."""
    if not text.lstrip().startswith("<"):
        return text
    writer = _MarkdownWriter()
    writer.feed_html(text)
    lines = [line.rstrip() for line in "".join(writer.parts).split("\n")]
    shown_lines = [line for place, line in enumerate(lines) if line or (place and lines[place - 1])]
    return "\n".join(shown_lines).strip()


def _unescape_html_entities(text: str) -> str:
    try:
        return html.unescape(text)
    except ValueError:  # the number of a character with thousands of digits
        return text


class _MarkdownWriter:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self._lists: list[str] = []
        self._links: list[str] = []

    def feed_html(self, text: str) -> None:
        place = 0
        while match := _MARKUP.search(text, place):
            self._write_text(text[place : match.start()])
            place = match.end()
            tag = (match["tag"] or "").lower()
            if tag and not match["closed"]:
                self._write_text(match[0])
            elif tag and match["end"]:
                self._handle_end_tag(tag)
            elif tag in _SILENT:
                end = _SILENT[tag].search(text, place)
                place = end.start() if end else len(text)
            elif tag:
                self._handle_start_tag(tag, match["attributes"])
        self._write_text(text[place:])

    def _write_text(self, text: str) -> None:
        self.parts.append(_unescape_html_entities(text))

    def _handle_start_tag(self, tag: str, attributes: str) -> None:
        if tag == "li":
            mark = "1." if self._lists and self._lists[-1] == "ol" else "-"
            depth = min(len(self._lists) - 1, FOREIGN_LIST_DEPTH)
            self.parts.append(f"\n{'  ' * depth}{mark} ")
        elif tag == "br":
            self.parts.append("\n")
        elif tag == "a":
            href = _HREF.search(attributes)
            self._links.append(_unescape_html_entities(href[1] or href[2] or href[3] or "") if href else "")
            self.parts.append("[")
        elif tag in _AROUND:
            self.parts.append(_AROUND[tag])
        elif tag in _BLOCKS:
            self._start_block(tag)

    def _handle_end_tag(self, tag: str) -> None:
        if tag == "a" and self._links:
            self.parts.append(f"]({self._links.pop()})")
        elif tag in _AROUND:
            self.parts.append(_AROUND[tag])
        elif tag in ("ul", "ol") and self._lists:
            self._lists.pop()
            self.parts.append("\n" if self._lists else "\n\n")
        elif tag == "pre":
            self.parts.append("\n```\n\n")
        elif tag in _BLOCKS and not self._lists:
            self.parts.append("\n\n")

    def _start_block(self, tag: str) -> None:
        if tag in ("ul", "ol"):
            self._lists.append(tag)
        elif tag == "pre":
            self.parts.append("\n\n```\n")
        elif tag == "blockquote":
            self.parts.append("\n\n> ")
        elif tag[0] == "h":
            self.parts.append(f"\n\n{'#' * int(tag[1])} ")
        elif not self._lists:
            self.parts.append("\n\n")
