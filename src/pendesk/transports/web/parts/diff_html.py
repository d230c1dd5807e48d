"""A line of code as HTML: escaped, in colours, with the words that changed, and with nothing hidden in it.

A character that shows nothing, or turns the order of what follows, can make code read as what it is not: each is
written out.
"""

import re
import unicodedata

from markupsafe import Markup, escape

# Controls but the tab; soft hyphen; marks of direction; blanks and joiners without width; tags and selectors.
_HIDDEN = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
# What turns the order of the text: said in words above the lines too.
_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_WRITTEN = Markup('<span class="hidden-character" title="{}">{}</span>')
_CARRIAGE_RETURN = Markup('<span class="line-end" title="Carriage return">\u240d</span>')


def has_turning_characters(text: str) -> bool:
    return _TURNING.search(text) is not None


def visible(text: str) -> Markup:
    """With every hidden character written out by its number."""
    if not _HIDDEN.search(text):
        return escape(text)
    pieces: list[str] = []
    at = 0
    for match in _HIDDEN.finditer(text):
        pieces += [escape(text[at : match.start()]), _written(match[0])]
        at = match.end()
    return Markup("").join([*pieces, escape(text[at:])])


def _written(character: str) -> Markup:
    if character == "\r":
        return _CARRIAGE_RETURN
    name = unicodedata.name(character, "control character").capitalize()
    return _WRITTEN.format(f"Hidden character: {name}", f"U+{ord(character):04X}")


def line_html(text: str, colours: str = "", changed: tuple[tuple[int, int], ...] = ()) -> Markup:
    """`colours` as colour_spans says them; `changed` are the words to mark."""
    coloured = [
        (int(start), int(end), span[0]) for span in colours.split() for start, _, end in [span[1:].partition("-")]
    ]
    if not changed:
        return _colour(text, 0, len(text), coloured)
    pieces: list[Markup] = []
    at = 0
    for start, end in changed:
        pieces += [_colour(text, at, start, coloured), Markup("<b>{}</b>").format(_colour(text, start, end, coloured))]
        at = end
    return Markup("").join([*pieces, _colour(text, at, len(text), coloured)])


def _colour(text: str, start: int, end: int, coloured: list[tuple[int, int, str]]) -> Markup:
    """The part of the text from start to end."""
    pieces: list[str] = []
    at = start
    for first, last, group in coloured:
        first, last = max(first, at), min(last, end)
        if first >= last:
            continue
        pieces += [visible(text[at:first]), f'<i class="{group}">{visible(text[first:last])}</i>']
        at = last
    return Markup("".join([*pieces, visible(text[at:end])]))  # noqa: S704 - each piece is escaped
