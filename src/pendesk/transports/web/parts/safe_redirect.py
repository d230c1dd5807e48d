"""Where a page may send a browser to: an address on this very server."""

from starlette.requests import Request

CHARS = 1_500


def current_path(request: Request) -> str:
    """Path and query of this request, to return to."""
    query = request.url.query
    return f"{request.url.path}?{query}" if query else request.url.path


def local_path(address: str) -> str:
    """The address if it is a path here, else nothing: `//` and `\\` would lead elsewhere."""
    good = address.startswith("/") and not address.startswith("//") and "\\" not in address
    return address if good and len(address) <= CHARS and address.isascii() and address.isprintable() else ""
