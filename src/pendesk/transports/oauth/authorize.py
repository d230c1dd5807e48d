"""GET and POST /oauth/authorize: sign in, decide, go back to the program.

The client and its address are judged first. Until both are good nothing is ever sent back: an error is a page.
"""

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pendesk.domain.access import TOOL_SETS, Actor
from pendesk.domain.errors import OAuthRefused, TooManyRequests
from pendesk.domain.limits import STATE_CHARS
from pendesk.domain.oauth import (
    OAuthClient,
    PendingConsent,
    check_is_s256_pkce_challenge,
    normalize_scopes,
    require_this_server_as_resource,
)
from pendesk.operations.oauth import answer_consent, open_consent
from pendesk.operations.oauth.answer_consent import AnswerConsent, AnsweredConsent
from pendesk.operations.oauth.open_consent import ConsentRequest, OpenConsent
from pendesk.transports.fetch import Unfetchable
from pendesk.transports.oauth.documents import find_or_fetch_client
from pendesk.transports.oauth.pages import render_consent_page
from pendesk.transports.oauth.parameters import Parameters, read_form, read_query
from pendesk.transports.service import Service
from pendesk.transports.web.pages.password import (
    SignInPrompt,
    ask_to_sign_in,
    sign_in_by_password,
    sign_in_prompt_for_current_page,
)
from pendesk.transports.web.parts.session import check_same_origin, session_actor, session_secret_from_cookie
from pendesk.transports.web.parts.standalone_page import render_message_page

EXPIRED = "This page has expired"
START_AGAIN = "Go back to the program and start again."


async def authorize_page(request: Request) -> Response:
    try:
        return await (_post_authorize_page if request.method == "POST" else _get_authorize_page)(request)
    except OAuthRefused as refusal:
        return render_message_page(request, "This request cannot be read", refusal.message, START_AGAIN, status=400)


async def _get_authorize_page(request: Request) -> Response:
    checked = await _consent_request_or_error(request)
    if isinstance(checked, Response):
        return checked
    actor = await session_actor(request)
    if actor is None:
        return ask_to_sign_in(request, _build_sign_in_prompt(request, checked))
    return await ask_consent(request, actor, checked)


async def _post_authorize_page(request: Request) -> Response:
    check_same_origin(request)
    form = await read_form(request)
    if "ticket" in form.values:
        return await record_consent_and_redirect(request, form)
    checked = await _consent_request_or_error(request)
    if isinstance(checked, Response):
        return checked
    return await sign_in_by_password(request, _build_sign_in_prompt(request, checked))


def _build_sign_in_prompt(request: Request, consent_request: ConsentRequest) -> SignInPrompt:
    purpose = f"A program that calls itself “{consent_request.client_name}” wants to work here in your name."
    return sign_in_prompt_for_current_page(request, f"{purpose} Sign in first; then decide.")


async def _consent_request_or_error(request: Request) -> ConsentRequest | Response:
    parameters = read_query(request)
    client = await _client_or_error_page(request, parameters)
    if isinstance(client, Response):
        return client
    redirect_uri = parameters.get("redirect_uri")
    if not client.allows_redirect_uri(redirect_uri):
        return render_message_page(
            request,
            "This address is not accepted",
            "The program wants to be called back at an address that it did not register, or that is not on your own "
            "computer. Nothing was sent to it.",
            START_AGAIN,
            status=400,
        )
    try:
        return _read_consent_request(request, parameters, client)
    except OAuthRefused as refusal:
        return _redirect_to_client(
            request, redirect_uri, parameters.get("state"), error=refusal.code, error_description=refusal.message
        )


async def _client_or_error_page(request: Request, parameters: Parameters) -> OAuthClient | Response:
    try:
        client = await find_or_fetch_client(request, parameters.get("client_id"))
    except Unfetchable as error:
        problem = f"Its description cannot be used: {error}."
        return render_message_page(request, "This program is not known", problem, START_AGAIN, status=400)
    except TooManyRequests as refusal:
        return render_message_page(request, "Too many programs at once", refusal.message, status=429)
    if client is None:
        return render_message_page(
            request,
            "This program is not known",
            "It has not registered here, or so long ago that its registration was removed. Nothing was sent to it.",
            "Remove its saved sign-in for this server, then connect again: it registers by itself.",
            status=400,
        )
    return client


def _read_consent_request(request: Request, parameters: Parameters, client: OAuthClient) -> ConsentRequest:
    service: Service = request.app.state.service
    parameters.check_all_valid()
    if parameters.get("response_type") != "code":
        raise OAuthRefused("unsupported_response_type", "Send response_type=code.")
    if parameters.get("request") or parameters.get("request_uri"):
        raise OAuthRefused("invalid_request", "Request objects are not served here. Send plain parameters.")
    if parameters.get("response_mode") not in ("", "query"):
        raise OAuthRefused("invalid_request", "Only response_mode=query is served.")
    if len(parameters.get("state")) > STATE_CHARS:
        raise OAuthRefused("invalid_request", f"The state is longer than {STATE_CHARS} characters.")
    check_is_s256_pkce_challenge(parameters.get("code_challenge"), parameters.get("code_challenge_method"))
    return ConsentRequest(
        client_id=client.id,
        client_name=client.name,
        scopes=normalize_scopes(parameters.get("scope"), service.settings.advertised_scopes),
        resource=require_this_server_as_resource(parameters.resources, service.installation.public_url),
        redirect_uri=parameters.get("redirect_uri"),
        state=parameters.values.get("state"),
        challenge=parameters.get("code_challenge"),
    )


async def ask_consent(request: Request, actor: Actor, consent_request: ConsentRequest, user_code: str = "") -> Response:
    """The consent page, every time: an earlier yes was for another program on the same port, for all we know."""
    service: Service = request.app.state.service
    opening = OpenConsent(session_secret_from_cookie(request) or "", consent_request)
    opened = await service.dispatcher.call_by_secret(open_consent.OPERATION, opening)
    return render_consent_page(request, consent_request, actor, opened, user_code)


async def record_consent_and_redirect(request: Request, form: Parameters) -> Response:
    answered = await record_consent_decision(request, form)
    if answered is None or answered.consent.redirect_uri is None:
        return render_message_page(request, EXPIRED, "It was answered before, or is too old.", START_AGAIN, status=403)
    if answered.code is None:
        return _redirect_with_access_denied(request, answered.consent)
    return _redirect_to_client(request, answered.consent.redirect_uri, answered.consent.state, code=answered.code)


async def record_consent_decision(request: Request, form: Parameters) -> AnsweredConsent | None:
    service: Service = request.app.state.service
    actor, session = await session_actor(request), session_secret_from_cookie(request)
    tools, decision = form.get("tools"), form.get("decision")
    if actor is None or session is None or decision not in ("allow", "deny") or tools not in ("", *TOOL_SETS):
        return None
    allowed = decision == "allow"
    answer = AnswerConsent(form.get("ticket"), session, actor.user_id, form.get("workspace"), allowed, tools)
    return await service.dispatcher.call_by_secret(answer_consent.OPERATION, answer)


def _redirect_with_access_denied(request: Request, consent: PendingConsent) -> Response:
    redirect_uri, reason = consent.redirect_uri or "", "The person denied the request."
    return _redirect_to_client(request, redirect_uri, consent.state, error="access_denied", error_description=reason)


def _redirect_to_client(request: Request, redirect_uri: str, state: str | None, **parameters: str) -> Response:
    """To the program. `iss` says who answers, so that it cannot mistake us for another server (RFC 9207)."""
    service: Service = request.app.state.service
    parameters["iss"] = service.installation.public_url
    if state and len(state) <= STATE_CHARS:
        parameters["state"] = state
    return RedirectResponse(f"{redirect_uri}?{urlencode(parameters)}", 303)
