"""What pages load: one style sheet, one script, fonts and icons, built once when the server starts.

Each has two names: a plain one, and one with a hash of its content that a browser may keep for ever.
"""

import gzip
import hashlib
import json
import re
from importlib import resources
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from pendesk.transports.security_headers import SCRIPTED

_FOLDER = resources.files("pendesk.transports.web") / "static"
_IMMUTABLE = "public, max-age=31536000, immutable"
_SHORT = "public, max-age=300"
OFFLINE_WORKER = "offline-worker.js"
# Tokens and the reset come first; then components by name. Layers, not this order, decide what wins.
_CSS_FIRST = ["tokens.css", "base.css"]
# What only some pages need is a script of theirs, loaded after the one that all pages have.
PAGE_SCRIPTS = {
    "board.js": ["selection.js", "change_actions.js", "saved_views.js", "board.js"],
    "document.js": ["editor.js", "passage_comments.js"],
    "editor.js": ["editor.js"],
    "flow.js": ["flow.js", "flow_map.js"],
    "list.js": ["selection.js", "change_actions.js", "saved_views.js"],
    "mentions.js": ["mentions.js"],
    "projects.js": ["import.js"],
    "proposal.js": ["proposal.js"],
    "replay.js": ["replay.js"],
    "review.js": ["change.js", "line_comments.js", "review.js"],
    "spec.js": ["editor.js", "reorder.js", "outline.js"],
}
_BEGIN_HTMX = b'document.addEventListener("pendesk:ready", () => {\n%s\nwindow.htmx = htmx;\n});\n'
# No text in a style sheet has one of these signs in it.
_CSS_BLANKS = re.compile(r"\s*([{};,])\s*")
_URL = re.compile(r"url\(\"([\w.-]+)\"\)")


class Asset(NamedTuple):
    name: str
    media_type: str
    content: bytes
    compressed: bytes | None  # gzip, where that makes it smaller

    @property
    def url_path(self) -> str:
        stem, dot, end = self.name.rpartition(".")
        return f"/static/{stem}.{hashlib.sha256(self.content).hexdigest()[:12]}{dot}{end}"


def _build_asset(name: str, media_type: str, content: bytes) -> Asset:
    compressed = gzip.compress(content, 9, mtime=0)
    return Asset(name, media_type, content, compressed if len(compressed) < len(content) * 0.9 else None)


def _read_static_file(folder: str, name: str) -> bytes:
    return (_FOLDER / folder / name).read_bytes()


def _static_file_names(folder: str, suffix: str) -> list[str]:
    return sorted(file.name for file in (_FOLDER / folder).iterdir() if file.name.endswith(suffix))


def _build_style_sheet(fonts: dict[str, Asset]) -> bytes:
    names = _CSS_FIRST + [name for name in _static_file_names("css", ".css") if name not in _CSS_FIRST]
    text = "\n".join(_read_static_file("css", name).decode() for name in names)
    text = _strip_css_comments_and_blanks(text)
    return _URL.sub(lambda match: f'url("{fonts[match[1]].url_path}")', text).encode()


def _strip_css_comments_and_blanks(text: str) -> str:
    before, *others = text.split("/*")
    text = before + "".join(other.partition("*/")[2] for other in others)
    text = "\n".join(line for line in map(str.strip, text.splitlines()) if line)
    return _CSS_BLANKS.sub(r"\1", text).replace(": ", ":")


def _build_javascript_bundle() -> bytes:
    """htmx is there before our scripts begin, but says nothing until they have: none misses what it says first."""
    of_pages = {name for names in PAGE_SCRIPTS.values() for name in names}
    ours = _join_scripts([name for name in _static_file_names("js", ".js") if name not in of_pages])
    htmx = _read_static_file("vendor", "htmx.min.js")
    return b"window.pendesk = {};\n" + _BEGIN_HTMX % htmx + ours


def _join_scripts(names: list[str]) -> bytes:
    """Each has a scope of its own."""
    scripts = [_strip_js_comments_and_indents(_read_static_file("js", name)) for name in names]
    return "".join("(() => {\n" + script + "})();\n" for script in scripts).encode()


def _strip_js_comments_and_indents(script: bytes) -> str:
    """They are for readers of the source; browsers need not load them. No text in our scripts goes on over lines."""
    lines = map(str.lstrip, script.decode().splitlines(keepends=True))
    return "".join(line for line in lines if line and not line.startswith("//"))


def _build_offline_service_worker(assets: list[Asset]) -> Asset:
    """With the names of what it caches: when one of those changes, so does the worker, and browsers fetch all of it."""
    cached = json.dumps(["/offline", *(asset.url_path for asset in assets)])
    return _build_asset(
        OFFLINE_WORKER,
        "text/javascript",
        f"const CACHED = {cached};\n".encode() + _read_static_file("offline", "worker.js"),
    )


def _build_assets() -> list[Asset]:
    fonts = {
        name: _build_asset(name, "font/woff2", _read_static_file("fonts", name))
        for name in _static_file_names("fonts", ".woff2")
    }
    offline = [
        fonts["inter-latin.woff2"],
        fonts["jetbrains-mono-latin.woff2"],
        _build_asset("pendesk.css", "text/css", _build_style_sheet(fonts)),
        _build_asset("icons.svg", "image/svg+xml", _read_static_file("", "icons.svg")),
        _build_asset("pendesk.svg", "image/svg+xml", _read_static_file("", "pendesk.svg")),
        _build_asset("offline-page.js", "text/javascript", _read_static_file("offline", "page.js")),
    ]
    return [
        *fonts.values(),
        *offline,
        _build_offline_service_worker(offline),
        _build_asset("pendesk.js", "text/javascript", _build_javascript_bundle()),
        *(_build_asset(name, "text/javascript", _join_scripts(names)) for name, names in PAGE_SCRIPTS.items()),
        _build_asset(
            "stream.js",
            "text/javascript",
            _strip_js_comments_and_indents(_read_static_file("worker", "stream.js")).encode(),
        ),
        _build_asset("pendesk-waiting.svg", "image/svg+xml", _read_static_file("", "pendesk-waiting.svg")),
        _build_asset("pendesk.webmanifest", "application/manifest+json", _read_static_file("", "pendesk.webmanifest")),
    ]


ASSETS = {asset.name: asset for asset in _build_assets()}
_URL_PATHS = {name: asset.url_path for name, asset in ASSETS.items()}  # every icon of every page asks for one
_BY_PATH = {_URL_PATHS[name]: asset for name, asset in ASSETS.items()}


def asset_url_path(name: str) -> str:
    return _URL_PATHS[name]


async def get_static_asset(request: Request) -> Response:
    name = request.path_params["name"]
    hashed = _BY_PATH.get(f"/static/{name}")
    asset = hashed or ASSETS.get(name)
    if asset is None:
        raise HTTPException(404)
    headers = {"Cache-Control": _IMMUTABLE if hashed else _SHORT, "Vary": "Accept-Encoding", **SCRIPTED}
    if asset.name == OFFLINE_WORKER:
        headers["Service-Worker-Allowed"] = "/"  # else it would serve only what lies beside it
    compressed = asset.compressed if "gzip" in request.headers.get("accept-encoding", "") else None
    if compressed is not None:
        headers["Content-Encoding"] = "gzip"
    return Response(compressed or asset.content, media_type=asset.media_type, headers=headers)
