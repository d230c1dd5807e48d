"""POST /do/{operation}: every page's forms. Fields are the operation's input; the dispatcher decides the rest.

Names that begin with `_` are the form's own: `_done` is the message after success, `_next` is where to go then.
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
from pendesk.transports.web.parts.flash import set_flash
from pendesk.transports.web.parts.form_fields import form_fields_to_arguments
from pendesk.transports.web.parts.safe_redirect import safe_redirect_path
from pendesk.transports.web.parts.view import View, create_view

FIELDS = 2_000
# Their answers are shown once, by one_time_secret.py; here they would be lost.
ONE_TIME_SECRETS = {
    "create_share",
    "create_sign_in_link",
    "create_token",
    "create_webhook",
    "invite_member",
    "set_github_webhook",
}


async def post_operation_form(request: Request) -> Response:
    view = await create_view(request)  # reads the cookie, and so refuses what another site's page sends
    fields = await read_form(request)
    try:
        answer = await call_write_operation_from_form(view, request.path_params["operation"], fields)
    except Refusal as refusal:
        return form_refusal_response(request, refusal)
    return _success_response(request, fields, answer)


async def call_write_operation_from_form(view: View, name: str, fields: list[tuple[str, str]]) -> Any:
    service: Service = view.request.app.state.service
    operation = service.dispatcher.operations.get(name)
    if operation is None or operation.kind not in (Kind.WRITE, Kind.LONG_WRITE) or name in ONE_TIME_SECRETS:
        raise NotFound("form for the operation", name)
    return await service.dispatcher.call(view.actor, name, form_fields_to_arguments(operation.input, fields))


async def read_form(request: Request) -> list[tuple[str, str]]:
    body = await request.body()
    try:
        return parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=FIELDS)
    except ValueError:
        raise BadField("", "The form cannot be read. Reload the page and submit it again.") from None


def _success_response(request: Request, fields: list[tuple[str, str]], output: Any) -> Response:
    own = {name: value for name, value in fields if name.startswith("_")}
    values = _placeholder_values_from_output(output)
    message = _fill_placeholders(own.get("_done", ""), values)
    done = {
        "message": " ".join(filter(None, (message, values.get("advisory")))),
        "operation": request.path_params["operation"],
        **values,
    }
    target = safe_redirect_path(_fill_placeholders(own.get("_next", ""), values))
    if request.headers.get("hx-request") == "true":
        # ASCII, as headers are. The page shows the message and reloads its live parts.
        headers = {"HX-Trigger": json.dumps({"done": done})} | ({"HX-Redirect": target} if target else {})
        response: Response = Response(status_code=204, headers=headers)
    else:
        response = RedirectResponse(target or _referrer_path(request), 303)
    # A page that stays shows the message itself; otherwise the next page does.
    if done["message"] and (target or response.status_code == 303):
        set_flash(request, response, done["message"])
    return response


def form_refusal_response(request: Request, refusal: Refusal) -> Response:
    service: Service = request.app.state.service
    if request.headers.get("hx-request") == "true" or "text/html" not in request.headers.get("accept", ""):
        return refusal_response(refusal, service.installation.public_url, to_person=True)
    response = RedirectResponse(_referrer_path(request), 303)
    set_flash(request, response, refusal.message_for_person)
    return response


def _fill_placeholders(template: str, values: dict[str, str]) -> str:
    """`{refCode}` and its like stand for what was just created or changed."""
    for name, value in values.items():
        template = template.replace("{" + name + "}", value)
    return template


def _placeholder_values_from_output(output: Any) -> dict[str, str]:
    """Names of what was created or changed; the revision is what the next edit starts from, an advisory is shown."""
    built: dict[str, Any] = json.loads(encode_json(output))
    names = ("pid", "refCode", "key", "revision", "advisory")
    return {name: str(built[name]) for name in names if isinstance(built.get(name), str | int)}


def _referrer_path(request: Request) -> str:
    referrer = urlsplit(request.headers.get("referer", ""))
    path = f"{referrer.path}?{referrer.query}" if referrer.query else referrer.path
    return safe_redirect_path(path) or "/"
