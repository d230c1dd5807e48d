"""From Pendesk to the provider and back, as a browser goes."""

import httpx

from tests.oidc_server import CLIENT, SECRET
from tests.transports.served import URL, serving


def at(provider, path, **options):
    known = {"oidc_issuer": provider.issuer, "oidc_client_id": CLIENT, "oidc_client_secret": SECRET}
    return serving(path / "data", **known, **options)


async def add(served, email, **told):
    made = await served.service.dispatcher.call(served.owner, "create_user", {"name": "Ada", "email": email, **told})
    return made.user_id


async def start(http, then=""):
    answer = await http.get("/sign-in/oidc", params={"then": then})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


async def sign_in(served, provider, then="", http=None):
    """The whole way, in one browser."""
    http = http or browser(served)
    back = provider.sign_in(await start(http, then))
    return await http.get(back.removeprefix(URL))


def browser(served):
    return httpx.AsyncClient(transport=served.http._transport, base_url=URL)
