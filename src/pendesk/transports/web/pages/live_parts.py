"""GET /live?part=ADDRESS%23ID: several parts of an open page, each only as far as it has changed.

`If-None-Match` has the tags of what is on the screen, in the order of the parts; 304 where none has changed.
"""

from functools import lru_cache
from itertools import zip_longest
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route

from pendesk.domain.errors import BadField, NotFound, Refusal, Unauthenticated
from pendesk.operations.operation import encode_json
from pendesk.transports.page_pace import PACE
from pendesk.transports.problems import refusal_or_internal_error_body, refusal_response
from pendesk.transports.service import Service
from pendesk.transports.web.pages.registry import PAGES
from pendesk.transports.web.parts.part_tag import PartTag, scope_of_reader
from pendesk.transports.web.parts.view import Page, View, compressed_response, create_view, render_fragment

PARTS_MOST = 12
ADDRESS_CHARS = 2_000
_REPLACED_HEADERS = (b"hx-request", b"hx-target", b"if-none-match")


class Part(NamedTuple):
    """As it is answered: its HTML, which answer before it has that, or why there is none; nothing where it is as
    it was.
    """

    tag: PartTag | None
    answer: dict[str, Any] | None


async def get_live_parts(request: Request) -> Response:
    service: Service = request.app.state.service
    try:
        reader = await create_view(request)
    except Unauthenticated as refusal:
        return refusal_response(refusal, service.installation.public_url)
    addresses = request.query_params.getlist("part")
    if not 0 < len(addresses) <= PARTS_MOST:
        raise BadField("part", f"Name from 1 to {PARTS_MOST} parts of a page.")
    # Both before anything is read: what happens meanwhile has a later number, and is asked for again.
    activity = reader.activity_mark()
    position = await reader.call("follow_events")
    tag = PartTag(scope_of_reader(reader.actor), position.seq, position.now, position.now, activity)
    known = request.headers.get("if-none-match", "").strip('"').split(",")
    parts = await _load_parts(reader, list(zip_longest(addresses, known[: len(addresses)], fillvalue="")), tag)
    headers = {
        "ETag": f'"{",".join(str(part.tag or 0) for part in parts)}"',
        "Live-Pause": f"{PACE.pause_s():.2f}",
    }
    if all(part.answer is None for part in parts):
        return Response(status_code=304, headers=headers)
    body = encode_json([part.answer for part in parts])
    response = await compressed_response(request, body, media_type="application/json")
    response.headers.update(headers)
    return response


async def _load_parts(reader: View, addresses_and_known: list[tuple[str, str]], tag: PartTag) -> list[Part]:
    """A page of which several parts are asked for is read once."""
    parts: list[Part] = []
    place_of: dict[tuple[str, bool, str], int] = {}
    for address, known in addresses_and_known:
        url, _, ident = address.partition("#")
        first = place_of.setdefault((url, ident.startswith("drawer"), known), len(parts))
        if first == len(parts):
            parts.append(await _load_part(reader, address, PartTag.parse(known), tag))
        else:
            answer = {"sameAs": first} if parts[first].answer is not None else None
            parts.append(Part(parts[first].tag, answer))
    return parts


async def _load_part(reader: View, address: str, known: PartTag | None, tag: PartTag) -> Part:
    try:
        page, view = _find_part(reader, address)
        if page.follows_log and known is not None:
            if tag.is_unchanged_since(known):
                return Part(known, None)
            view.known = tag.changes_since(known)
        data = await page.load(view)
        if "changed" in data and known is not None:
            tag = tag._replace(whole_at=known.whole_at)
        return Part(tag, {"html": await render_fragment(view, page.template, data)})
    except Refusal as refusal:
        return Part(None, refusal_or_internal_error_body(refusal, to_person=True))


def _find_part(reader: View, address: str) -> tuple[Page, View]:
    url = urlsplit(address[:ADDRESS_CHARS])
    page_and_params = _find_page(url.path)
    if page_and_params is None:
        raise NotFound("page", url.path)
    page, path_params = page_and_params
    scope = dict(reader.request.scope)
    headers = [header for header in scope["headers"] if header[0] not in _REPLACED_HEADERS]
    headers += [(b"hx-request", b"true"), (b"hx-target", f"#{url.fragment}".encode())]
    scope |= {"path": url.path, "raw_path": url.path.encode(), "query_string": url.query.encode()}
    scope |= {"headers": headers, "path_params": path_params}
    return page, reader.for_part(Request(scope))


@lru_cache(1_000)
def _find_page(path: str) -> tuple[Page, dict[str, Any]] | None:
    for route, page in _ROUTES:
        match, child_scope = route.matches({"type": "http", "method": "GET", "path": path})
        if match is Match.FULL:
            return page, child_scope["path_params"]
    return None


_ROUTES = [(Route(page.path, get_live_parts, methods=["GET"]), page) for page in PAGES]
