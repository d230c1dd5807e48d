"""Rich text of other programs as Markdown: the few elements that editors make. Anything else leaves its words."""

from html.parser import HTMLParser

_BLOCKS = {"p", "div", "ul", "ol", "blockquote", "pre", "table", "tr", "h1", "h2", "h3", "h4", "h5", "h6"}
_AROUND = {"strong": "**", "b": "**", "em": "*", "i": "*", "code": "`", "s": "~~", "del": "~~"}
_SILENT = {"script", "style"}


def markdown_of(text: str) -> str:
    """Text that is no HTML stays as it is."""
    if not text.lstrip().startswith("<"):
        return text
    writer = _Writer()
    writer.feed(text)
    writer.close()
    lines = [line.rstrip() for line in "".join(writer.parts).split("\n")]
    kept = [line for place, line in enumerate(lines) if line or (place and lines[place - 1])]
    return "\n".join(kept).strip()


class _Writer(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._lists: list[str] = []
        self._links: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self._silent += 1
        elif tag == "li":
            mark = "1." if self._lists and self._lists[-1] == "ol" else "-"
            self.parts.append(f"\n{'  ' * (len(self._lists) - 1)}{mark} ")
        elif tag == "br":
            self.parts.append("\n")
        elif tag == "a":
            self._links.append(dict(attrs).get("href") or "")
            self.parts.append("[")
        elif tag in _AROUND:
            self.parts.append(_AROUND[tag])
        elif tag in _BLOCKS:
            self._begin_block(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self._silent = max(0, self._silent - 1)
        elif tag == "a" and self._links:
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

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.parts.append(data)

    def _begin_block(self, tag: str) -> None:
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
