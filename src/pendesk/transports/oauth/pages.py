"""The pages of the authorization server. All that a client told of itself is escaped, and named as its own words."""

from html import escape

from starlette.responses import Response

from pendesk.domain.access import Actor, Scope
from pendesk.domain.oauth import SCOPE_WORDS
from pendesk.domain.redirect import read_loopback
from pendesk.operations.oauth.consent import Asked
from pendesk.transports.security_headers import DEFAULTS
from pendesk.transports.web.page import page

CSP = "Content-Security-Policy"


def error_page(title: str, *told: str, status: int = 400) -> Response:
    """Where nothing may be sent back to the client: it, or its address, is not to be trusted."""
    return page(title, "".join(f"<p>{escape(each)}</p>" for each in told), status)


def consent_page(asked: Asked, actor: Actor, places: list[tuple[str, str]], ticket: str) -> Response:
    address = "/device" if asked.device_hash else "/oauth/authorize"
    response = page(
        "Let this program in?",
        f"<p>A program that calls itself <strong>{escape(asked.client_name)}</strong> wants to work here in your "
        f"name. Agree only if you have just started this yourself.</p><dl>{_facts(asked, actor, places)}</dl>"
        f"<p>It will be able to:</p><ul>{_scopes(asked)}</ul>"
        f'<form method="post" action="{address}"><input type="hidden" name="ticket" value="{escape(ticket)}">'
        f"{_choice(places)}"
        '<p class="buttons"><button type="submit" name="decision" value="allow">Allow</button> '
        '<button class="plain" type="submit" name="decision" value="deny">Deny</button></p></form>'
        '<p class="quiet">It cannot review work, make tokens or change members. You can end this at any time.</p>',
    )
    if asked.redirect_uri is not None:
        response.headers[CSP] = _csp_back_to(asked.redirect_uri)
    return response


def _csp_back_to(redirect_uri: str) -> str:
    """Browsers hold `form-action` against the redirect that follows the form, too."""
    back = read_loopback(redirect_uri)
    assert back is not None
    # The policy has no way to write an IPv6 address; the page has one form, and we wrote it.
    origin = "http:" if back.host.startswith("[") else back.origin
    return DEFAULTS[CSP].replace("form-action 'self'", f"form-action 'self' {origin}")


def _facts(asked: Asked, actor: Actor, places: list[tuple[str, str]]) -> str:
    facts = {"You": actor.user_name}
    if len(places) == 1:
        facts["Workspace"] = places[0][1]
    if asked.redirect_uri is not None:
        back = read_loopback(asked.redirect_uri)
        assert back is not None
        facts["Goes back to"] = f"{back.origin.removeprefix('http://')} (this computer)"
    else:
        facts["Goes back to"] = "the device that shows the code you entered"
    return "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts.items())


def _scopes(asked: Asked) -> str:
    return "".join(f"<li>{escape(SCOPE_WORDS[Scope(word)])}</li>" for word in asked.scopes.split())


def _choice(places: list[tuple[str, str]]) -> str:
    if len(places) == 1:
        return f'<input type="hidden" name="workspace" value="{escape(places[0][0])}">'
    options = "".join(f'<option value="{escape(ident)}">{escape(name)}</option>' for ident, name in places)
    return f'<label>In the workspace <select name="workspace">{options}</select></label>'


def code_page(typed: str, problem: str = "") -> Response:
    told = f'<p class="problem">{escape(problem)}</p>' if problem else ""
    return page(
        "Connect a device",
        f"{told}<p>Enter the code that the program shows. Go on only if you have started it yourself.</p>"
        '<form method="post" action="/device"><label>Code <input name="user_code" autocomplete="off" '
        f'autocapitalize="characters" spellcheck="false" required value="{escape(typed)}"></label>'
        '<button type="submit">Continue</button></form>',
        403 if problem else 200,
    )
