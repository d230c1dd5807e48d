"""Guessing is slow, over all processes together, and keeps nobody out who has been here before."""

import asyncio
import itertools

import httpx
import pytest

from pendesk.domain.limits import PASSWORDS_PER_ACCOUNT_MINUTE, Limits
from pendesk.main import create_app
from tests.sites import SAME
from tests.transports.served import URL, serving

PER_ADDRESS_MINUTE = Limits().address_sign_ins_per_minute
PASSWORD = "correct horse battery"
_NETS = itertools.count(1)


@pytest.fixture(params=["sqlite", "postgres"])
async def served(request, tmp_path):
    """Ada and Bob have passwords; their addresses are new in each test, and so is the network."""
    options = {}
    if request.param == "postgres":
        database = request.getfixturevalue("postgres").create_database(f"throttle_{next(_NETS)}")
        options = {"database_url": database, "secret_key": "k" * 40}
    async with serving(tmp_path / "data", **options) as running:
        for email in ("ada@example.com", "bob@example.com"):
            await running.service.dispatcher.call(running.owner, "create_user", {"name": "Someone", "email": email})
            fields = {"user_pid": email, "password": PASSWORD}
            await running.service.dispatcher.call(running.owner, "set_password", fields)
        yield running


def browser(served, address, app=None):
    transport = httpx.ASGITransport(app or create_app(served.service), client=(address, 1234))
    return httpx.AsyncClient(transport=transport, base_url=URL)


async def enter(http, email="ada@example.com", password=PASSWORD):
    return await http.post("/sign-in", data={"email": email, "password": password}, headers=SAME)


async def test_guessing_for_one_account_from_many_addresses_is_slow(served):
    app = create_app(served.service)
    for number in range(PASSWORDS_PER_ACCOUNT_MINUTE):
        answer = await enter(browser(served, f"10.0.0.{number}", app), password="wrong")
        assert answer.status_code == 403
    answer = await enter(browser(served, "10.0.1.1", app))
    assert answer.status_code == 429
    assert 0 < int(answer.headers["retry-after"]) <= 60
    assert f"Wait {answer.headers['retry-after']} seconds" in answer.text
    assert "set-cookie" not in answer.headers
    assert (await enter(browser(served, "10.0.1.1", app), "bob@example.com")).status_code == 303


async def test_a_stranger_who_guesses_without_end_does_not_lock_the_person_out(served):
    app = create_app(served.service)
    ada = browser(served, "10.1.0.1", app)
    assert (await enter(ada)).status_code == 303
    for number in range(PASSWORDS_PER_ACCOUNT_MINUTE * 2):
        await enter(browser(served, f"10.1.1.{number}", app), password="wrong")
    assert (await enter(browser(served, "10.1.2.1", app))).status_code == 429
    await ada.post("/sign-out", headers=SAME)
    assert (await enter(ada)).status_code == 303
    # Nor one who shares the person's address.
    for _ in range(PER_ADDRESS_MINUTE + 5):
        await enter(browser(served, "10.1.0.1", app), "nobody@example.com", "wrong")
    assert (await enter(ada)).status_code == 303
    # What a known browser holds is for one account, and it guesses as slowly as others.
    assert (await enter(ada, "bob@example.com")).status_code == 429
    answers = [await enter(ada, password="wrong") for _ in range(PASSWORDS_PER_ACCOUNT_MINUTE)]
    assert [answer.status_code for answer in answers][-1] == 429


async def test_a_made_up_cookie_is_no_known_browser(served):
    app = create_app(served.service)
    ada = browser(served, "10.2.0.1", app)
    await enter(ada)
    real = ada.cookies["pendesk_known"]
    for _ in range(PASSWORDS_PER_ACCOUNT_MINUTE):
        await enter(browser(served, "10.2.0.2", app), password="wrong")
    for value in (real[:-1], f"x{real}", ".", f"{'0' * 32}.{'0' * 64}", ""):
        http = browser(served, "10.2.0.3", app)
        answer = await http.post(
            "/sign-in",
            data={"email": "ada@example.com", "password": PASSWORD},
            headers={**SAME, "cookie": f"pendesk_known={value}"},
        )
        assert answer.status_code == 429


async def test_an_address_guesses_slowly_whatever_the_account(served):
    app = create_app(served.service)
    http = browser(served, "10.3.0.1", app)
    for number in range(PER_ADDRESS_MINUTE):
        assert (await enter(http, f"nobody{number}@example.com", "wrong")).status_code == 403
    assert (await enter(http)).status_code == 429
    assert (await enter(browser(served, "10.3.0.2", app))).status_code == 303


async def test_known_and_unknown_accounts_are_answered_alike(served):
    app = create_app(served.service)
    pages: set[tuple[int, str]] = set()
    for email in ("ada@example.com", "nobody@example.com"):
        for number in range(PASSWORDS_PER_ACCOUNT_MINUTE + 1):
            answer = await enter(browser(served, f"10.4.{len(pages)}.{number}", app), email, "wrong")
            text = answer.text.replace(answer.headers.get("retry-after", "-"), "(seconds)").replace(email, "(email)")
            pages.add((answer.status_code, text if answer.status_code == 403 else ""))
    assert sorted(status for status, _ in pages) == [403, 429]


async def test_two_processes_on_one_database_count_together(served):
    if served.service.dispatcher.store.engine != "postgres":
        pytest.skip("SQLite has one process")
    apps = [create_app(served.service) for _ in range(2)]  # nothing is shared between them but the database
    tries = [enter(browser(served, f"10.5.0.{n}", apps[n % 2]), password="wrong") for n in range(40)]
    answers = await asyncio.gather(*tries)
    statuses = [answer.status_code for answer in answers]
    assert statuses.count(403) == PASSWORDS_PER_ACCOUNT_MINUTE
    assert statuses.count(429) == 40 - PASSWORDS_PER_ACCOUNT_MINUTE
