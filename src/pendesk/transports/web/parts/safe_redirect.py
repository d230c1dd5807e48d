"""Where a page may send a browser to: an address on this very server."""

from starlette.requests import Request

CHARS = 1_500


def current_path_and_query(request: Request) -> str:
    """Path and query of this request, to return to."""
    query = request.url.query
    return f"{request.url.path}?{query}" if query else request.url.path


def safe_redirect_path(url: str) -> str:
    """The address if it is a path here, else nothing: `//` and `\\` would lead elsewhere."""
    good = url.startswith("/") and not url.startswith("//") and "\\" not in url
    return url if good and len(url) <= CHARS and url.isascii() and url.isprintable() else ""
