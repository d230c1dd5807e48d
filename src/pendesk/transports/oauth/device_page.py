"""GET and POST /device: a person enters the code that a program without a browser shows, and decides."""

from starlette.requests import Request
from starlette.responses import Response

from pendesk.domain.access import Actor
from pendesk.domain.errors import OAuthRefused, TooManyRequests
from pendesk.domain.oauth import format_user_code, normalize_user_code
from pendesk.operations.oauth import find_device
from pendesk.operations.oauth.open_consent import ConsentRequest
from pendesk.transports.anonymous_limits import throttle_by_account, throttles_of
from pendesk.transports.oauth.authorize import EXPIRED, ask_consent, record_consent_decision
from pendesk.transports.oauth.pages import render_device_code_page
from pendesk.transports.oauth.parameters import Parameters, read_form, read_query
from pendesk.transports.service import Service
from pendesk.transports.web.pages.password import ask_to_sign_in, sign_in_by_password, sign_in_prompt_for_current_page
from pendesk.transports.web.parts.session import check_same_origin, session_actor
from pendesk.transports.web.parts.standalone_page import render_message_page

PURPOSE = "A program on another device wants to work here in your name. Sign in first, then decide."
UNKNOWN = "No program waits under this code. Check it, or start again in the program: a code lasts ten minutes."


async def device_page(request: Request) -> Response:
    try:
        return await (_post_device_page if request.method == "POST" else _get_device_page)(request)
    except OAuthRefused as refusal:
        return render_message_page(request, "This request cannot be read", refusal.message, status=400)
    except TooManyRequests as refusal:
        response = render_message_page(request, "Too many codes", refusal.message, status=429)
        response.headers["Retry-After"] = str(refusal.details["retryAfter"])
        return response


async def _get_device_page(request: Request) -> Response:
    if await session_actor(request) is None:
        return ask_to_sign_in(request, sign_in_prompt_for_current_page(request, PURPOSE))
    return render_device_code_page(request, _format_user_code_or_empty(read_query(request).get("user_code")))


async def _post_device_page(request: Request) -> Response:
    check_same_origin(request)
    form = await read_form(request)
    if "ticket" in form.values:
        return await _save_decision_and_show_outcome(request, form)
    actor = await session_actor(request)
    if actor is None or "user_code" not in form.values:
        return await sign_in_by_password(request, sign_in_prompt_for_current_page(request, PURPOSE))
    return await _submit_user_code(request, actor, form.get("user_code"))


async def _submit_user_code(request: Request, actor: Actor, typed_code: str) -> Response:
    """Entering a code is a guess until it fits, so guesses are few."""
    service: Service = request.app.state.service
    await throttle_by_account(throttles_of(request).user_codes, "user_code", actor.user_id)
    device = await service.dispatcher.call_by_secret(find_device.OPERATION, typed_code)
    if device is None:
        return render_device_code_page(request, _format_user_code_or_empty(typed_code), UNKNOWN)
    consent_request = ConsentRequest(
        device.client_id, device.client_name, device.scopes, device.resource, device_hash=device.hash
    )
    return await ask_consent(request, actor, consent_request, _format_user_code_or_empty(typed_code))


async def _save_decision_and_show_outcome(request: Request, form: Parameters) -> Response:
    answered = await record_consent_decision(request, form)
    if answered is None or answered.consent.device_hash is None or not answered.done:
        reason = ("It was answered before, or is too old.", "Start again in the program.")
        return render_message_page(request, EXPIRED, *reason, status=403)
    if form.get("decision") == "deny":
        return render_message_page(
            request, "Access denied", "The program gets no access. You can close this page.", tone="calm"
        )
    next_steps = ("Go back to the program; it continues in a few seconds.", "You can close this page.")
    return render_message_page(request, "Access granted", *next_steps, tone="good")


def _format_user_code_or_empty(typed_code: str) -> str:
    code = normalize_user_code(typed_code)
    return format_user_code(code) if code else ""
