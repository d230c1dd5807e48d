"""Where a page may send a browser to: an address on this very server."""

CHARS = 1_500


def own_path(address: str) -> str:
    """The address if it is a path here, else nothing: `//` and `\\` would lead elsewhere."""
    good = address.startswith("/") and not address.startswith("//") and "\\" not in address
    return address if good and len(address) <= CHARS and address.isascii() and address.isprintable() else ""
