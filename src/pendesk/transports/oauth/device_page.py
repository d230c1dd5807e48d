"""GET and POST /device: a person enters the code that a program without a browser shows, and decides."""

from starlette.requests import Request
from starlette.responses import Response

from pendesk.domain.access import Actor
from pendesk.domain.errors import OAuthRefused, TooManyRequests
from pendesk.domain.oauth import read_user_code, show_user_code
from pendesk.operations.oauth import find_device
from pendesk.operations.oauth.open_consent import ConsentRequest
from pendesk.transports.anonymous_limits import admit_for, throttles_of
from pendesk.transports.oauth.authorize import EXPIRED, ask_consent, take_answer
from pendesk.transports.oauth.pages import code_page
from pendesk.transports.oauth.parameters import Parameters, read_form, read_query
from pendesk.transports.service import Service
from pendesk.transports.web.pages.password import ask_to_sign_in, asking_here, sign_in_here
from pendesk.transports.web.parts.session import check_same_origin, signed_in
from pendesk.transports.web.parts.standalone_page import message_page

PURPOSE = "A program on another device wants to work here in your name. Sign in first, then decide."
UNKNOWN = "No program waits under this code. Check it, or start again in the program: a code lasts ten minutes."


async def device_page(request: Request) -> Response:
    try:
        return await (_post if request.method == "POST" else _get)(request)
    except OAuthRefused as refusal:
        return message_page(request, "This request cannot be read", refusal.message, status=400)
    except TooManyRequests as refusal:
        response = message_page(request, "Too many codes", refusal.message, status=429)
        response.headers["Retry-After"] = str(refusal.details["retryAfter"])
        return response


async def _get(request: Request) -> Response:
    if await signed_in(request) is None:
        return ask_to_sign_in(request, asking_here(request, PURPOSE))
    return code_page(request, _as_shown(read_query(request).get("user_code")))


async def _post(request: Request) -> Response:
    check_same_origin(request)
    form = await read_form(request)
    if "ticket" in form.values:
        return await _answered(request, form)
    actor = await signed_in(request)
    if actor is None or "user_code" not in form.values:
        return await sign_in_here(request, asking_here(request, PURPOSE))
    return await _entered(request, actor, form.get("user_code"))


async def _entered(request: Request, actor: Actor, typed: str) -> Response:
    """Entering a code is a guess until it fits, so guesses are few."""
    service: Service = request.app.state.service
    await admit_for(throttles_of(request).user_codes, "user_code", actor.user_id)
    device = await service.dispatcher.call_by_secret(find_device.OPERATION, typed)
    if device is None:
        return code_page(request, _as_shown(typed), UNKNOWN)
    consent_request = ConsentRequest(
        device.client_id, device.client_name, device.scopes, device.resource, device_hash=device.hash
    )
    return await ask_consent(request, actor, consent_request, _as_shown(typed))


async def _answered(request: Request, form: Parameters) -> Response:
    answered = await take_answer(request, form)
    if answered is None or answered.consent.device_hash is None or not answered.done:
        reason = ("It was answered before, or is too old.", "Start again in the program.")
        return message_page(request, EXPIRED, *reason, status=403)
    if form.get("decision") == "deny":
        return message_page(
            request, "Access denied", "The program gets no access. You can close this page.", tone="calm"
        )
    next_steps = ("Go back to the program; it continues in a few seconds.", "You can close this page.")
    return message_page(request, "Access granted", *next_steps, tone="good")


def _as_shown(typed: str) -> str:
    code = read_user_code(typed)
    return show_user_code(code) if code else ""
