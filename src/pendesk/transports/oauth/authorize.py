"""GET and POST /oauth/authorize: sign in, be asked, go back to the program.

The client and its address are judged first. Until both are good nothing is ever sent back: an error is a page.
"""

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pendesk.domain.access import Actor
from pendesk.domain.errors import OAuthRefused, TooManyRequests
from pendesk.domain.limits import STATE_CHARS
from pendesk.domain.oauth import Client, Consent, check_challenge, read_resource, read_scopes
from pendesk.domain.token import digest
from pendesk.operations.oauth.consent import Answer, Answered, Asked, answer_consent, open_consent
from pendesk.store import sign_in
from pendesk.transports.fetch import Unfetchable
from pendesk.transports.oauth.documents import resolve_client
from pendesk.transports.oauth.pages import consent_page
from pendesk.transports.oauth.parameters import Parameters, read_form, read_query
from pendesk.transports.service import Service
from pendesk.transports.web.pages.password import Asking, ask_to_sign_in, asking_here, sign_in_here
from pendesk.transports.web.parts.session import check_same_origin, session_secret, signed_in
from pendesk.transports.web.parts.standalone_page import tell

NO_LONGER_GOOD = "This page is no longer good"
START_AGAIN = "Go back to the program and start again."


async def authorize_page(request: Request) -> Response:
    try:
        return await (_post if request.method == "POST" else _get)(request)
    except OAuthRefused as refusal:
        return tell(request, "This request cannot be read", refusal.message, START_AGAIN, status=400)


async def _get(request: Request) -> Response:
    checked = await _check(request)
    if isinstance(checked, Response):
        return checked
    actor = await signed_in(request)
    if actor is None:
        return ask_to_sign_in(request, _asking(request, checked))
    return await ask(request, actor, checked)


async def _post(request: Request) -> Response:
    check_same_origin(request)
    form = await read_form(request)
    if "ticket" in form.values:
        return await answered_page(request, form)
    checked = await _check(request)
    if isinstance(checked, Response):
        return checked
    return await sign_in_here(request, _asking(request, checked))


def _asking(request: Request, asked: Asked) -> Asking:
    purpose = f"A program that calls itself “{asked.client_name}” wants to work here in your name."
    return asking_here(request, f"{purpose} Sign in first; then you are asked.")


async def _check(request: Request) -> Asked | Response:
    asked = read_query(request)
    client = await _client(request, asked)
    if isinstance(client, Response):
        return client
    redirect_uri = asked.get("redirect_uri")
    if not client.may_return_to(redirect_uri):
        return tell(
            request,
            "This address is not accepted",
            "The program wants to be called back at an address that it did not register, or that is not on your own "
            "computer. Nothing was sent to it.",
            START_AGAIN,
            status=400,
        )
    try:
        return _read(request, asked, client)
    except OAuthRefused as refusal:
        return _back(request, redirect_uri, asked.get("state"), error=refusal.code, error_description=refusal.message)


async def _client(request: Request, asked: Parameters) -> Client | Response:
    try:
        client = await resolve_client(request, asked.get("client_id"))
    except Unfetchable as error:
        told = (f"Its description cannot be used: {error}.", START_AGAIN)
        return tell(request, "This program is not known", *told, status=400)
    except TooManyRequests as refusal:
        return tell(request, "Too many programs at once", refusal.message, status=429)
    if client is None:
        return tell(
            request,
            "This program is not known",
            "It has not registered here, or so long ago that its registration was removed. Nothing was sent to it.",
            "Make it forget its saved sign-in for this server, then connect again: it registers by itself.",
            status=400,
        )
    return client


def _read(request: Request, asked: Parameters, client: Client) -> Asked:
    service: Service = request.app.state.service
    asked.check()
    if asked.get("response_type") != "code":
        raise OAuthRefused("unsupported_response_type", "Send response_type=code.")
    if asked.get("request") or asked.get("request_uri"):
        raise OAuthRefused("invalid_request", "Request objects are not served here. Send plain parameters.")
    if asked.get("response_mode") not in ("", "query"):
        raise OAuthRefused("invalid_request", "Only response_mode=query is served.")
    if len(asked.get("state")) > STATE_CHARS:
        raise OAuthRefused("invalid_request", f"The state is longer than {STATE_CHARS} characters.")
    check_challenge(asked.get("code_challenge"), asked.get("code_challenge_method"))
    return Asked(
        client_id=client.id,
        client_name=client.name,
        scopes=read_scopes(asked.get("scope"), service.settings.advertised_scopes),
        resource=read_resource(asked.resources, service.installation.public_url),
        redirect_uri=asked.get("redirect_uri"),
        state=asked.values.get("state"),
        challenge=asked.get("code_challenge"),
    )


async def ask(request: Request, actor: Actor, asked: Asked, code: str = "") -> Response:
    """The consent page, every time: an earlier yes was for another program on the same port, for all we know."""
    service: Service = request.app.state.service
    session = session_secret(request) or ""
    places = await service.store.read("", lambda tx: sign_in.workspaces(tx, digest(session)))
    ticket = await open_consent(service.store, session, asked)
    return consent_page(request, asked, actor, places, ticket, code)


async def answered_page(request: Request, form: Parameters) -> Response:
    answered = await take_answer(request, form)
    if answered is None or answered.consent.redirect_uri is None:
        return tell(request, NO_LONGER_GOOD, "It was answered before, or is too old.", START_AGAIN, status=403)
    if answered.code is None:
        return _refuse(request, answered.consent)
    return _back(request, answered.consent.redirect_uri, answered.consent.state, code=answered.code)


async def take_answer(request: Request, form: Parameters) -> Answered | None:
    service: Service = request.app.state.service
    actor, session = await signed_in(request), session_secret(request)
    if actor is None or session is None or form.get("decision") not in ("allow", "deny"):
        return None
    answer = Answer(form.get("workspace"), form.get("decision") == "allow")
    return await answer_consent(service.store, form.get("ticket"), session, actor.user_id, answer)


def _refuse(request: Request, consent: Consent) -> Response:
    told = {"error": "access_denied", "error_description": "The person said no."}
    return _back(request, consent.redirect_uri or "", consent.state, **told)


def _back(request: Request, redirect_uri: str, state: str | None, **told: str) -> Response:
    """To the program. `iss` says who answers, so that it cannot mistake us for another server (RFC 9207)."""
    service: Service = request.app.state.service
    told["iss"] = service.installation.public_url
    if state and len(state) <= STATE_CHARS:
        told["state"] = state
    return RedirectResponse(f"{redirect_uri}?{urlencode(told)}", 303)
