"""Lines of code as HTML: escaped, in colours, with the words that changed, and with nothing hidden in them.

Rows are put together here and not by a template: there are hundreds on a page, and nothing in them is to be decided. A
character that shows nothing, or turns the order of what follows, can make code read as what it is not: each is
written out.
"""

from markupsafe import Markup

from pendesk.domain.diff_lines import DiffLine
from pendesk.transports.web.parts.hidden_marks import mark_hidden_as_html

_NO_NEWLINE = '<span class="line-end" title="No newline at the end of the file">\u23ce\u0338</span>'
_CLASSES = {" ": "", "+": " add", "-": " del"}
_CARRIAGE_RETURN = Markup('<span class="line-end" title="Carriage return">\u240d</span>')


def visible(text: str) -> Markup:
    """With every hidden character written out by its number, and the returns that a line of code may end with."""
    if "\r" not in text:
        return mark_hidden_as_html(text)
    return _CARRIAGE_RETURN.join(mark_hidden_as_html(piece) for piece in text.split("\r"))


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


def unified_row(line: DiffLine, code: Markup) -> Markup:
    """It says which line of each side it is; of which file, its table says."""
    numbers = "".join(f'<td class="line-number">{number or ""}</td>' for number in (line.old, line.new))
    return Markup(  # noqa: S704 - numbers, and code that is escaped
        f'<tr class="line{_CLASSES[line.mark]}"{_places(line.old, line.new)}>{numbers}'
        f'<td class="code">{code}{_ending(line)}</td></tr>'
    )


def split_row(old: tuple[DiffLine, Markup] | None, new: tuple[DiffLine, Markup] | None) -> Markup:
    places = _places(old[0].old if old else None, new[0].new if new else None)
    return Markup(f'<tr class="line"{places}>{_cell("old", old)}{_cell("new", new)}</tr>')  # noqa: S704 - the same


def _cell(side: str, shown: tuple[DiffLine, Markup] | None) -> str:
    if shown is None:
        return '<td class="code none"></td>'
    line, code = shown
    number = line.old if side == "old" else line.new
    return (
        f'<td class="code{_CLASSES[line.mark]}" data-side="{side}"><span class="line-number">{number}</span>'
        f"{code}{_ending(line)}</td>"
    )


def _places(old: int | None, new: int | None) -> str:
    return "".join(
        f' data-{side}-line="{number}"' for side, number in (("old", old), ("new", new)) if number is not None
    )


def _ending(line: DiffLine) -> str:
    return "" if line.has_newline else _NO_NEWLINE
