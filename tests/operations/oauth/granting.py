"""A person who lets a client in, step by step through the real operations."""

import asyncio
import base64
import hashlib
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from pendesk.domain import token
from pendesk.domain.access import Actor
from pendesk.domain.errors import OAuthRefused
from pendesk.operations.oauth.answer_consent import AnsweredConsent
from pendesk.operations.oauth.issue import IssuedTokens
from pendesk.operations.oauth.open_consent import ConsentRequest
from pendesk.operations.oauth.redeem_code import RedeemCode
from pendesk.store import sign_in
from tests.callers import answer_consent, open_consent, redeem_code, register_client
from tests.desk import TestDesk

BACK = "http://127.0.0.1:5000/callback"
VERIFIER = "v" * 64
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
DAY = 24 * 3600 * 1_000_000


def resource_of(desk: TestDesk) -> str:
    return f"{desk.installation.public_url}/mcp"


async def session_of(desk: TestDesk, person: Actor, *, everywhere: bool = False) -> str:
    secret = secrets.token_hex(16)
    until = desk.clock() + 30 * DAY

    def add(tx: Any) -> None:
        sign_in.add_session(tx, token.hash_secret(secret), person.user_id, until, all_workspaces=everywhere)

    await desk.store.write(person.workspace_id, add)
    return secret


async def client_of(desk: TestDesk, name: str = "Some agent") -> str:
    return (await register_client(desk.dispatcher, name, [BACK])).id


def asked(desk: TestDesk, client_id: str, scopes: str = "specs.read builds.write", **changes: Any) -> ConsentRequest:
    fields = {"redirect_uri": BACK, "state": "s", "challenge": CHALLENGE, **changes}
    return ConsentRequest(client_id, "Some agent", scopes, resource_of(desk), **fields)


async def code_for(desk: TestDesk, person: Actor, client_id: str, scopes: str = "specs.read builds.write") -> str:
    session = await session_of(desk, person)
    ticket = await open_consent(desk.dispatcher, session, asked(desk, client_id, scopes))
    answered = await answer_consent(desk.dispatcher, ticket, session, person.user_id, person.workspace_id, allowed=True)
    assert isinstance(answered, AnsweredConsent)
    assert answered.code is not None
    return answered.code


def redemption(desk: TestDesk, code: str, client: str, **changes: str) -> RedeemCode:
    return RedeemCode(code, client, BACK, VERIFIER, resource_of(desk))._replace(**changes)


async def let_in(
    desk: TestDesk, person: Actor, client_id: str, scopes: str = "specs.read builds.write"
) -> IssuedTokens:
    code = await code_for(desk, person, client_id, scopes)
    return await redeem_code(desk.dispatcher, redemption(desk, code, client_id))


async def at_once(
    number: int, work: Callable[[], Awaitable[IssuedTokens]]
) -> tuple[list[IssuedTokens], list[OAuthRefused]]:
    """All start behind one barrier; who got something, and who was refused."""
    barrier = asyncio.Barrier(number)

    async def one() -> IssuedTokens | OAuthRefused:
        await barrier.wait()
        try:
            return await work()
        except OAuthRefused as refusal:
            return refusal

    outcomes = await asyncio.gather(*(one() for _ in range(number)))
    given = [each for each in outcomes if isinstance(each, IssuedTokens)]
    return given, [each for each in outcomes if isinstance(each, OAuthRefused)]
