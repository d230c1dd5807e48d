"""What can be asked without a token is limited by address, and each limit is a setting."""

import secrets
from typing import NamedTuple

import httpx
import pytest

from pendesk.domain.limits import Limits
from pendesk.domain.token import REFRESH_PREFIX, make_token
from pendesk.settings import SETTINGS
from pendesk.transports import throttle
from pendesk.transports.throttle import MemoryThrottle
from tests.sites import SAME
from tests.transports.served import serving

BACK = "http://127.0.0.1:5000/callback"


class Caller(NamedTuple):
    """Somebody without a token, who has a share's link and an invite."""

    http: httpx.AsyncClient
    share: str
    invite: str


async def call_from(served) -> Caller:
    project = await served.call("create_project", name="Harbour")
    share = await served.call("create_share", project_id=project.pid, takes_items=True)
    invite = await served.call("invite_member", email="eve@example.com")
    return Caller(
        served.http, share.url.removeprefix(served.service.installation.public_url), invite.url.partition("code=")[2]
    )


async def sign_in(caller, number):
    form = {"email": f"nobody{number}@example.com", "password": "wrong"}
    return await caller.http.post("/sign-in", data=form, headers=SAME)


async def accept_invite(caller, _number):
    return await caller.http.post("/invite", data={"code": caller.invite, "password": "short"}, headers=SAME)


async def register(caller, _number):
    return await caller.http.post("/oauth/register", json={"client_name": "An agent", "redirect_uris": [BACK]})


async def begin_device_sign_in(caller, _number):
    return await caller.http.post("/oauth/device_authorization", data={"client_id": "penling-mcp"})


async def name_document(caller, number):
    asked = {"client_id": f"https://127.0.0.1/{number}", "redirect_uri": BACK}
    return await caller.http.get("/oauth/authorize", params=asked)


async def read_share(caller, _number):
    return await caller.http.get(caller.share)


async def leave_message(caller, number):
    return await caller.http.post(caller.share, data={"title": f"Question {number}"})


async def try_token(caller, _number):
    secret = make_token(secrets.token_bytes(32))
    return await caller.http.get("/api/v1/context", headers={"authorization": f"Bearer {secret}"})


async def try_refresh_token(caller, _number):
    secret = make_token(secrets.token_bytes(32), REFRESH_PREFIX)
    form = {"grant_type": "refresh_token", "client_id": "penling-mcp", "refresh_token": secret}
    return await caller.http.post("/oauth/token", data=form)


TRIES = [
    ("address_sign_ins_per_minute", sign_in),
    ("address_sign_ins_per_minute", accept_invite),
    ("address_registrations_per_minute", register),
    ("address_device_sign_ins_per_minute", begin_device_sign_in),
    ("address_client_documents_per_minute", name_document),
    ("address_guest_reads_per_minute", read_share),
    ("address_guest_messages_per_minute", leave_message),
    ("address_unknown_tokens_per_minute", try_token),
    ("address_unknown_tokens_per_minute", try_refresh_token),
]


def test_every_such_setting_is_tried():
    named = {name for name in Limits._fields if name.startswith("address_")}
    assert named == {name for name, _attempt in TRIES}
    assert named <= {setting.name for setting in SETTINGS}


@pytest.mark.parametrize(("name", "attempt"), TRIES, ids=[attempt.__name__ for _name, attempt in TRIES])
@pytest.mark.parametrize("most", [1, 35])
async def test_as_many_as_the_setting_says_are_let_through(tmp_path, name, attempt, most):
    async with serving(tmp_path / "data", client_id_metadata_documents="on", **{name: most}) as served:
        caller = await call_from(served)
        answers = [await attempt(caller, number) for number in range(most + 1)]
    assert [answer.status_code == 429 for answer in answers] == [False] * most + [True]
    assert f"More than {most} " in answers[-1].text


async def test_a_good_token_works_from_an_address_that_others_guess_from(tmp_path):
    async with serving(tmp_path / "data", address_unknown_tokens_per_minute=3) as served:
        caller = await call_from(served)
        good = (await served.call("create_token", name="Agent", tools="build")).token
        assert [(await try_token(caller, 0)).status_code for _ in range(5)] == [401, 401, 401, 429, 429]
        answer = await served.http.get("/api/v1/context", headers={"authorization": f"Bearer {good}"})
        assert answer.status_code == 200
        refused = await try_token(caller, 0)
        assert int(refused.headers["retry-after"]) == refused.json()["error"]["retryAfter"] > 50


async def test_guesses_from_many_addresses_take_no_more_memory_than_those_from_a_few(monkeypatch):
    monkeypatch.setattr(throttle, "TOKENS_REMEMBERED", 10)
    brake = MemoryThrottle(1, "tries")
    for number in range(1_000):
        await brake.count_request_or_refuse(str(number))
    assert len(brake._windows) == 10
