"""A person signs in at node-oidc-provider, which by default keeps the email for its UserInfo endpoint."""

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.clients.drive.common import find_client
from tests.clients.drive.form_browser import Browser, Page, Person, go_on, sign_in, sign_in_form
from tests.e2e.server import RunningServer, own_port, pendesk

ADA = Person(username="ada", password="any will do there")
VERIFIED = {"email": "ada@example.com", "email_verified": True, "name": "Ada"}
UNKNOWN = {"email": "ada@example.com", "name": "Ada"}
SignedIn = tuple[RunningServer, Page]


@contextmanager
def provider(redirect: str, claims: dict[str, Any]) -> Iterator[str]:
    """Its issuer."""
    modules = Path(find_client("claude")).absolute().parent.parent
    program = str(Path(__file__).with_name("oidc_provider.mjs"))
    command = ["node", program, str(modules), redirect, json.dumps(claims)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


@pytest.fixture
def ada_signs_in(tmp_path: Path) -> Iterator[Callable[..., SignedIn]]:
    """Ada is a member, and comes by the provider; what its claims are, and the settings, are the test's."""
    with ExitStack() as stack:

        def start(claims: dict[str, Any], **settings: str) -> SignedIn:
            port, data = own_port(), tmp_path / "data"
            url = f"http://127.0.0.1:{port}"
            known = {
                "PENDESK_OIDC_ISSUER": stack.enter_context(provider(f"{url}/sign-in/oidc/callback", claims)),
                "PENDESK_OIDC_CLIENT_ID": "pendesk",
                "PENDESK_OIDC_CLIENT_SECRET": "the-secret-of-the-client",
                **settings,
            }
            server = stack.enter_context(RunningServer(data, "--port", port, **known)).ready()
            pendesk(data, "user", "add", "--name", "Ada", "--email", "ada@example.com")
            page = walk(Browser(), f"{url}/sign-in/oidc")
            server.read()
            return server, page

        yield start


def walk(browser: Browser, start: str) -> Page:
    """Through the provider's own pages: who are you, and do you agree."""
    page = browser.open(start)
    form = sign_in_form(page)
    assert form is not None, page.text
    page = sign_in(browser, page, form, ADA, "http://none")
    return go_on(browser, page, ADA, "http://none")


def test_the_email_comes_from_userinfo(ada_signs_in: Callable[..., SignedIn]) -> None:
    server, page = ada_signs_in(VERIFIED)
    assert (page.url, page.status) == (f"{server.url}/", 200), server.log
    assert "Ada (member)" in page.text


def test_an_email_that_it_does_not_call_verified_counts_where_the_settings_say_so(
    ada_signs_in: Callable[..., SignedIn],
) -> None:
    server, page = ada_signs_in(UNKNOWN, PENDESK_OIDC_EMAIL_VERIFIED="assumed")
    assert (page.url, page.status) == (f"{server.url}/", 200), server.log


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        (UNKNOWN, "oidc_email_verified"),
        ({"name": "Ada"}, "gave no email"),
        ({**UNKNOWN, "email_verified": False}, "not verified"),
    ],
)
def test_the_log_names_what_is_missing(
    ada_signs_in: Callable[..., SignedIn], claims: dict[str, Any], reason: str
) -> None:
    server, page = ada_signs_in(claims)
    assert (page.status, "Ada (member)" in page.text) == (403, False)
    assert reason in server.log
