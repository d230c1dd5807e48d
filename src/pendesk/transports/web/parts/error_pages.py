"""Refusals and faults outside of a page: a designed page for browsers, the one error body for programs."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from pendesk.domain.errors import Refusal
from pendesk.transports import problems, request_log
from pendesk.transports.web.pages.sign_in import sign_in_url
from pendesk.transports.web.parts.safe_redirect import current_path_and_query, safe_redirect_path
from pendesk.transports.web.parts.standalone_page import render_standalone_page


def wants_html(request: Request) -> bool:
    """Browsers ask for HTML when a person navigates; scripts, htmx and programs do not."""
    return "text/html" in request.headers.get("accept", "") and "hx-request" not in request.headers


async def on_refusal(request: Request, refusal: Exception) -> Response:
    response = await problems.on_refusal(request, refusal)
    assert isinstance(refusal, Refusal)
    return _error_page(request, response, refusal.message_for_person) if wants_html(request) else response


async def on_http_error(request: Request, error: Exception) -> Response:
    response = await problems.on_http_error(request, error)
    assert isinstance(error, HTTPException)
    message = problems.PLAIN.get(error.status_code, ("", "This cannot be answered."))[1]
    return _error_page(request, response, message) if wants_html(request) else response


async def on_internal_error(request: Request, error: Exception) -> Response:
    response = await request_log.on_internal_error(request, error)
    return _error_page(request, response, problems.FAULT) if wants_html(request) else response


def _error_page(request: Request, json_error_response: Response, message: str) -> Response:
    error = {"status": json_error_response.status_code, "message": message, "id": request_log.request_id.get()}
    return_path = safe_redirect_path(current_path_and_query(request)) if request.method == "GET" else ""
    sign_in = sign_in_url(return_path) if json_error_response.status_code == 401 else ""
    page = render_standalone_page(request, "error.html", json_error_response.status_code, error=error, sign_in=sign_in)
    copied = ("allow", "retry-after")
    page.headers.update({name: value for name, value in json_error_response.headers.items() if name in copied})
    return page
