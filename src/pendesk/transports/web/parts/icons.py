"""What each icon draws, for pages that hold their icons themselves; scripts refer to the file.

All paths of an icon are one, since a page may have hundreds of them and each element has its price.
"""

import re

from markupsafe import Markup

from pendesk.transports.web.parts.assets import ASSETS

_PATH = re.compile(r'<path d="([^"]*)" */>')
_NUMBER = r"-?(?:\d+(?:\.\d+)?|\.\d+)"
# The first point of a path counts from the corner. After another path it would count from there; and what follows the
# point without a letter are lines to where it leads.
_FIRST_POINT = re.compile(rf"^m ?({_NUMBER})[ ,]?({_NUMBER}) ?(?=([\d.-])?)")


def _drawings_by_name(symbols: str) -> dict[str, str]:
    pieces = [symbol.partition("</symbol>")[0] for symbol in symbols.split('<symbol id="')[1:]]
    return {piece.partition('"')[0]: piece.partition(">")[2] for piece in pieces}


def _one_path(drawing: str) -> str:
    paths = [_FIRST_POINT.sub(_absolute, path) for path in _PATH.findall(drawing)]
    others = _PATH.sub("", drawing).strip()
    return (f'<path d="{"".join(paths)}"/>' if paths else "") + others.replace(" />", "/>")


def _absolute(point: re.Match[str]) -> str:
    x, y, more = point.groups()
    return f"M{x} {y}" + ("l" if more else "")


ICON_SHAPES = {
    name: Markup(_one_path(drawing))  # noqa: S704 - our own file
    for name, drawing in _drawings_by_name(ASSETS["icons.svg"].content.decode()).items()
}
