"""What a page is: an address, a template, and a function that loads the template's data through operations.

A page has no query and no rule of its own. From one `Page` come its HTML, its parts for htmx, and its `.json` twin.
"""

import asyncio
import gzip
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pendesk.clock import parse_iso_time_us
from pendesk.domain.access import Actor, Role
from pendesk.domain.errors import Refusal, Unauthenticated
from pendesk.operations.operation import encode_json
from pendesk.transports.problems import http_status_of, refusal_or_internal_error_body, refusal_response
from pendesk.transports.service import Service
from pendesk.transports.web.parts.critical_css import POLICY, inline_css_if_not_cached, set_stylesheet_cached_cookie
from pendesk.transports.web.parts.flash import clear_flash, read_flash
from pendesk.transports.web.parts.part_tag import KnownState, PartTag, scope_of_reader
from pendesk.transports.web.parts.refused_filter import redirect_without_refused_filter
from pendesk.transports.web.parts.safe_redirect import current_path_and_query
from pendesk.transports.web.parts.session import session_actor
from pendesk.transports.web.parts.templating import render_with_markdown
from pendesk.transports.web.parts.theme import theme_of

QUERY_CHARS = 200
COMPRESS_FROM_BYTES = 1_400  # one packet
COMPRESS_IN_THREAD_FROM_BYTES = 200_000  # about two milliseconds
SIGN_IN_AGAIN = "You are signed out. Sign in and try again."


class View:
    """One request for a page: its reader, its address, and the operations it calls.

    `known`: where the page may answer with what has changed since. Then it marks what has not with `data-same`.
    """

    def __init__(self, request: Request, service: Service, actor: Actor, is_json: bool = False) -> None:
        self.request = request
        self.is_json = is_json
        self.actor = actor
        self._service = service
        self._dispatcher = service.dispatcher
        self.public_url = service.installation.public_url
        self.limits = service.installation.limits
        self._query = request.query_params
        self.shell: Any = None  # get_overview's answer; a fragment has none
        self.known: KnownState | None = None
        self.tag: PartTag | None = None  # of all parts of a page that is shown with its shell

    def for_part(self, request: Request) -> "View":
        """Another address, for the same reader."""
        return View(request, self._service, self.actor)

    def activity_mark(self) -> str:
        return self._service.feed.signal.activity_mark(self.actor.workspace_id)

    async def call(self, operation: str, **arguments: Any) -> Any:
        """What is None is left out, as callers leave it out."""
        sent = {name: value for name, value in arguments.items() if value is not None}
        return await self._dispatcher.call(self.actor, operation, sent)

    def path_param(self, name: str) -> str:
        """A part of the address."""
        value: str = self.request.path_params[name]
        return value

    def query_param(self, name: str) -> str | None:
        """A value of the query; blank is the same as absent."""
        return self._query.get(name, "").strip()[:QUERY_CHARS] or None

    def query_values(self, name: str) -> list[str]:
        return [value[:QUERY_CHARS] for value in self._query.getlist(name) if value.strip()]

    @property
    def url_path(self) -> str:
        return self.request.url.path

    @property
    def url(self) -> str:
        """This address with its query, to load it again."""
        return current_path_and_query(self.request)

    def url_with(self, **changes: str | None) -> str:
        """This address with other values in its query; None takes one out."""
        return self.build_url_keeping_query(self.url_path, **changes)

    def build_url_keeping_query(self, path: str, **changes: str | None) -> str:
        pairs = [(name, value) for name, value in self._query.multi_items() if name not in changes and value]
        pairs += [(name, value) for name, value in changes.items() if value]
        query = "&".join(f"{quote(name, safe='')}={quote(value, safe=':,')}" for name, value in pairs)
        return f"{path}?{query}" if query else path

    @property
    def is_fragment(self) -> bool:
        return self.request.headers.get("hx-request") == "true"

    @property
    def is_full_page(self) -> bool:
        """Shown with its shell: not as a fragment, and not as JSON."""
        return not self.is_fragment and not self.is_json

    @property
    def layout_template(self) -> str:
        """Which frame goes around it: all of the page, or only what htmx asked for by its target."""
        if not self.is_fragment:
            return "layouts/shell.html"
        in_drawer = "#drawer" in self.request.headers.get("hx-target", "")
        return "layouts/drawer.html" if in_drawer else "layouts/main.html"

    @property
    def theme(self) -> str:
        return theme_of(self.request)

    def has_role(self, role: str) -> bool:
        return self.actor.role >= Role.from_label(role)


Load = Callable[[View], Awaitable[Mapping[str, Any]]]


class Page(NamedTuple):
    """`follows_log`: as long as there is no event, nothing on it changes but what ages by minutes."""

    path: str
    template: str
    load: Load
    follows_log: bool = False

    @property
    def json_url_path(self) -> str:
        return "/index.json" if self.path == "/" else f"{self.path}.json"


def page_routes(pages: list[Page]) -> list[Route]:
    """The twins come first: `/p/{key}` would take `/p/HRB.json` for a key."""
    twins = [Route(page.json_url_path, _create_json_endpoint(page), methods=["GET"]) for page in pages]
    return twins + [Route(page.path, _create_html_endpoint(page), methods=["GET"]) for page in pages]


async def create_view(request: Request, is_json: bool = False) -> View:
    actor = await session_actor(request)
    if actor is None:
        raise Unauthenticated(SIGN_IN_AGAIN)
    return View(request, request.app.state.service, actor, is_json)


def _create_html_endpoint(page: Page) -> Callable[[Request], Awaitable[Response]]:
    async def get(request: Request) -> Response:
        try:
            view = await create_view(request)
        except Unauthenticated as refusal:
            return redirect_to_sign_in(request, refusal)
        try:
            await load_app_shell(view)
            data = await page.load(view)
            return _redirect_to_own_address(view, data) or await render_page(view, page.template, data)
        except Refusal as refusal:
            return redirect_without_refused_filter(view, refusal) or await render_refusal(view, refusal)

    return get


def _redirect_to_own_address(view: View, data: Mapping[str, Any]) -> Response | None:
    """A page that says which its `own_address` is is also found at others, such as by an id."""
    address = data.get("own_address", view.url_path)
    if not view.is_full_page or address == view.url_path:
        return None
    return RedirectResponse(view.build_url_keeping_query(address), 302)


def _create_json_endpoint(page: Page) -> Callable[[Request], Awaitable[Response]]:
    async def get(request: Request) -> Response:
        view = await create_view(request, is_json=True)
        return Response(encode_json(await page.load(view)), media_type="application/json")

    return get


async def load_app_shell(view: View) -> None:
    """Before the page's own data: its log number is then not past them, and the page misses no event."""
    if not view.is_fragment:
        activity = view.activity_mark()
        view.shell = await view.call("get_overview")
        read_at = parse_iso_time_us(view.shell.now) or 0
        view.tag = PartTag(scope_of_reader(view.actor), view.shell.seq, read_at, read_at, activity)


async def render_fragment(view: View, template: str, data: Mapping[str, Any]) -> str:
    return await render_with_markdown(template, view=view, layout=view.layout_template, flash="", **data)


async def render_page(view: View, template: str, data: Mapping[str, Any], status: int = 200) -> Response:
    """A flash message is for the next full page: a fragment that loads in between does not use it up."""
    flash = "" if view.is_fragment else read_flash(view.request)
    style = inline_css_if_not_cached(view.request)
    text = await render_with_markdown(
        template, view=view, layout=view.layout_template, flash=flash, inline_css=style, **data
    )
    response = await compressed_response(view.request, text.encode(), status)
    if not view.is_fragment:
        clear_flash(view.request, response)
        if style:
            set_stylesheet_cached_cookie(response, view.public_url)
    return response


async def render_refusal(view: View, refusal: Refusal) -> Response:
    if view.is_fragment:
        return refusal_response(refusal, view.public_url, to_person=True)
    error = refusal_or_internal_error_body(refusal, to_person=True)["error"]
    return await render_page(view, "error.html", {"error": error}, http_status_of(refusal))


async def compressed_response(
    request: Request, body: bytes, status: int = 200, media_type: str = "text/html; charset=utf-8"
) -> Response:
    """Pages hold no secrets (those have handlers of their own), so nothing can be guessed from their size."""
    headers = {"Vary": "Accept-Encoding, HX-Request, HX-Target", **POLICY}
    if len(body) >= COMPRESS_FROM_BYTES and "gzip" in request.headers.get("accept-encoding", ""):
        if len(body) >= COMPRESS_IN_THREAD_FROM_BYTES:
            body = await asyncio.to_thread(gzip.compress, body, 5, mtime=0)
        else:
            body = gzip.compress(body, 5, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return Response(body, status, headers, media_type)


def redirect_to_sign_in(request: Request, refusal: Refusal) -> Response:
    service: Service = request.app.state.service
    if request.headers.get("hx-request") == "true":
        response = refusal_response(refusal, service.installation.public_url)
        response.headers["HX-Refresh"] = "true"
        return response
    path = current_path_and_query(request)
    return RedirectResponse("/sign-in" if path == "/" else f"/sign-in?then={quote(path, safe='')}", 303)
