"""A Markdown text without its marks: for lists and excerpts, which show a piece of it on one line.

By its marks alone and not by its structure, since what is shown may begin and end anywhere.
"""

import re

# Of marks that do not come in pairs, and inside of code, nothing is taken away: they are letters for a while.
_KEPT = "*_~[]()`"
_HIDE = {ord(mark): 0xE000 + number for number, mark in enumerate(_KEPT)}
_SHOW = {letter: mark for mark, letter in _HIDE.items()}

_CODE = re.compile(r"(`{1,3})(?!`)([^\n]{1,300}?)(?<!`)\1(?!`)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_LINE_OF_MARKS = re.compile(r"^ {0,3}(?:[-=*_~`|:][-=*_~`|: ]{2,}|`{3,9}\w{0,20})$", re.M)
_BEGIN_OF_LINE = re.compile(
    r"^[ \t]{0,20}(?:#{1,6}[ \t]|>[ \t]?|(?:[-*+]|\d{1,9}[.)])[ \t]{1,5}(?:\[[ xX]\][ \t])?)", re.M
)
_LINK = re.compile(r"!?\[([^\[\]\n]{0,300})\]\([^()\s]{0,500}(?: \"[^\"\n]{0,200}\")?\)")
_CELL = re.compile(r"(?<=\s)\||^\||\|(?=\s)|\|$", re.M)
_PAIR = re.compile(r"(?<![\w*~])(\*{1,3}|_{1,3}|~~)(?=[^\s*_~])([^\n]{0,300}?[^\s*_~])\1(?!\w)")
_AUTOLINK = re.compile(r"<(https?://[^<>\s]{1,500})>")


def without_markdown(text: str) -> str:
    """Its words on one line."""
    text = _CODE.sub(lambda code: code[2].translate(_HIDE), text)
    text = _ESCAPED.sub(lambda mark: mark[1].translate(_HIDE), text)
    text = _LINE_OF_MARKS.sub("", text)
    for pattern in (_BEGIN_OF_LINE, _BEGIN_OF_LINE, _CELL):  # a list in a quote has two beginnings
        text = pattern.sub("", text)
    text = _AUTOLINK.sub(r"\1", _LINK.sub(r"\1", text))
    text = _PAIR.sub(r"\2", _PAIR.sub(r"\2", text))
    return " ".join(text.translate(_SHOW).split())
