"""Clients that describe themselves at their own address, and the fetcher that asks there."""

import json

import pytest

from pendesk.main import create_app
from pendesk.transports.fetch import Fetcher, Unfetchable
from pendesk.transports.oauth.documents import parse_client_metadata_document
from tests.tls_site import http, site
from tests.transports.oauth.walk import Walk, sent_back
from tests.transports.served import serving

URL = "https://client.example/agent.json"
GOOD = {"client_id": URL, "client_name": "Agent", "redirect_uris": ["http://127.0.0.1/callback", "https://x.example/"]}


@pytest.mark.parametrize(
    "document",
    [
        {**GOOD, "client_id": "https://client.example/other.json"},
        {**GOOD, "redirect_uris": ["https://client.example/cb"]},
        {**GOOD, "redirect_uris": []},
        {**GOOD, "client_secret": "x"},
        {**GOOD, "token_endpoint_auth_method": "private_key_jwt"},
        {"client_id": URL},
        [],
    ],
)
def test_a_description_must_fit(document):
    with pytest.raises(Unfetchable):
        parse_client_metadata_document(URL, json.dumps(document).encode())


def test_a_description_with_a_name_twice_is_refused():
    twice = json.dumps(GOOD).encode().replace(b"{", b'{"client_name":"Another",', 1)
    with pytest.raises(Unfetchable, match="twice"):
        parse_client_metadata_document(URL, twice)


async def test_off_unless_turned_on(tmp_path):
    async with serving(tmp_path) as served:
        walk = Walk(served)
        await walk.sign_in()
        answer = await walk.authorize(URL, redirect_uri="http://127.0.0.1:7/callback")
        assert answer.status_code == 400
        assert "This program is not known" in answer.text


async def test_turned_on_it_is_asked_once_an_hour_and_shown(tmp_path, certificate, asking_through):
    async with serving(tmp_path, client_id_metadata_documents="on") as served:
        walk = Walk(served)
        await walk.sign_in()
        async with site(certificate, http(json.dumps(GOOD).encode())) as (fetcher, requests):
            asking_through(served, fetcher)
            back = "http://127.0.0.1:7/callback"
            for _ in range(3):
                page = await walk.authorize(URL, redirect_uri=back)
                assert "<strong>Agent</strong>" in page.text
            assert len(requests) == 1
            told = sent_back(await walk.decide(page), back)
            answer = await walk.redeem(URL, told["code"], redirect_uri=back)
            assert answer.status_code == 200
            bad = await walk.authorize(URL, redirect_uri="https://x.example/")
            assert bad.status_code == 400


async def test_an_address_that_failed_is_not_asked_again_at_once(tmp_path, certificate, asking_through):
    async with serving(tmp_path, client_id_metadata_documents="on") as served:
        walk = Walk(served)
        async with site(certificate, http(b"{}", "500 No")) as (fetcher, requests):
            asking_through(served, fetcher)
            for _ in range(5):
                answer = await walk.authorize(URL)
                assert answer.status_code == 400
                assert "answered 500" in answer.text
            assert len(requests) == 1


async def test_fetches_are_limited_by_address(tmp_path, asking_through):
    async with serving(tmp_path, client_id_metadata_documents="on") as served:
        walk = Walk(served)

        async def nowhere(_host):
            return []

        asking_through(served, Fetcher(nowhere))
        statuses = [(await walk.authorize(f"https://client.example/{number}")).status_code for number in range(25)]
        assert statuses == [400] * 20 + [429] * 5


@pytest.fixture
def asking_through(monkeypatch):
    """Makes the application anew, with this fetcher."""

    def use(served, fetcher):
        monkeypatch.setattr("pendesk.main.Fetcher", lambda: fetcher)
        served.http._transport.app = create_app(served.service)

    return use
