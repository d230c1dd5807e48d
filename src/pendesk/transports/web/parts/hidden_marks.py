"""Hidden characters on a page, written out wherever a person reads them; what a form sends back stays as it is."""

import re

from markupsafe import Markup, escape

from pendesk.domain.hidden_characters import describe_hidden, has_hidden, mark_hidden, mark_of_run, split_at_hidden

_MARK = Markup('<span class="hidden-character" title="Hidden characters: {}">{}</span>')
# Values are escaped, so that no tag has one of these signs within.
_PIECE = re.compile(
    r"(?P<kept><(?P<raw>textarea|script|style)\b[^<>]*>.*?</(?P=raw)>)"
    r"|(?P<head><(?:title|option)\b[^<>]*>)(?P<bare>[^<]*)|(?P<tag><[^<>]*>)|(?P<text>[^<]+)",
    re.DOTALL,
)
_READ_ATTRIBUTE = re.compile(r'(?<=\s)(?:title|alt|aria-label|placeholder)="[^"]*"')


def mark_hidden_as_html(text: str) -> Markup:
    return Markup("").join(_mark(piece) if is_hidden else escape(piece) for piece, is_hidden in split_at_hidden(text))


def mark_hidden_on_page(html: str) -> str:
    """On the whole page at once: no template can forget it."""
    return _PIECE.sub(_marked_piece, html) if has_hidden(html) else html


def _marked_piece(match: re.Match[str]) -> str:
    if match["text"]:
        pieces = split_at_hidden(match[0])
        return "".join(_mark(piece) if is_hidden else piece for piece, is_hidden in pieces)
    if match["tag"]:
        return _READ_ATTRIBUTE.sub(lambda attribute: mark_hidden(attribute[0]), match[0])
    # Neither the browser's title nor a choice can have elements in it.
    return match["head"] + mark_hidden(match["bare"]) if match["head"] else match[0]


def _mark(run: str) -> Markup:
    return _MARK.format(describe_hidden(run), mark_of_run(run))
