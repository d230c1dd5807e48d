"""POST /do/{operation}: every page's forms. Fields are the operation's input; the dispatcher decides the rest.

Names that begin with `_` are the form's own: `_done` is said after success, `_next` is where to go then.
"""

import json
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pendesk.domain.errors import BadField, NotFound, Refusal
from pendesk.operations.operation import Kind, encode_json
from pendesk.transports.problems import refusal_response
from pendesk.transports.service import Service
from pendesk.transports.web.parts.flash import say
from pendesk.transports.web.parts.form_fields import read_fields
from pendesk.transports.web.parts.safe_redirect import own_path
from pendesk.transports.web.parts.view import View, view_of

FIELDS = 2_000
# What these answer is shown once, by shown_once.py; here it would be lost.
SHOWN_ONCE = {
    "create_share",
    "create_sign_in_link",
    "create_token",
    "create_webhook",
    "invite_member",
    "set_github_webhook",
}


async def post_do(request: Request) -> Response:
    view = await view_of(request)  # reads the cookie, and so refuses what another site's page sends
    fields = await sent(request)
    try:
        answer = await call_with(view, request.path_params["operation"], fields)
    except Refusal as refusal:
        return refused(request, refusal)
    return _done(request, fields, answer)


async def call_with(view: View, name: str, fields: list[tuple[str, str]]) -> Any:
    service: Service = view.request.app.state.service
    operation = service.dispatcher.operations.get(name)
    if operation is None or operation.kind not in (Kind.WRITE, Kind.LOAD) or name in SHOWN_ONCE:
        raise NotFound("form for the operation", name)
    return await service.dispatcher.call(view.actor, name, read_fields(operation.input, fields))


async def sent(request: Request) -> list[tuple[str, str]]:
    body = await request.body()
    try:
        return parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=FIELDS)
    except ValueError:
        raise BadField("", "The form cannot be read. Reload the page and submit it again.") from None


def _done(request: Request, fields: list[tuple[str, str]], answer: Any) -> Response:
    own = {name: value for name, value in fields if name.startswith("_")}
    told = {"said": _filled(own.get("_done", ""), _names_of(answer)), "operation": request.path_params["operation"], **_names_of(answer)}
    target = own_path(_filled(own.get("_next", ""), _names_of(answer)))
    if request.headers.get("hx-request") == "true":
        # ASCII, as headers are. The page shows what was said and loads anew what it shows.
        headers = {"HX-Trigger": json.dumps({"done": told})} | ({"HX-Redirect": target} if target else {})
        response: Response = Response(status_code=204, headers=headers)
    else:
        response = RedirectResponse(target or _back(request), 303)
    # Where this page stays, it says so itself; else the next one does.
    if told["said"] and (target or response.status_code == 303):
        say(request, response, told["said"])
    return response


def refused(request: Request, refusal: Refusal) -> Response:
    service: Service = request.app.state.service
    if request.headers.get("hx-request") == "true" or "text/html" not in request.headers.get("accept", ""):
        return refusal_response(refusal, service.installation.public_url, to_person=True)
    response = RedirectResponse(_back(request), 303)
    say(request, response, refusal.person)
    return response


def _filled(address: str, names: dict[str, str]) -> str:
    """`/a/{refCode}` is where what was just made is to be seen."""
    for name, value in names.items():
        address = address.replace("{" + name + "}", value)
    return address


def _names_of(answer: Any) -> dict[str, str]:
    """How the page may refer to what was made or changed; the revision is what its next edit begins from."""
    built: dict[str, Any] = json.loads(encode_json(answer))
    names = ("pid", "refCode", "key", "revision")
    return {name: str(built[name]) for name in names if isinstance(built.get(name), str | int)}


def _back(request: Request) -> str:
    came_from = urlsplit(request.headers.get("referer", ""))
    path = f"{came_from.path}?{came_from.query}" if came_from.query else came_from.path
    return own_path(path) or "/"
