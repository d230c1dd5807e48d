"""A consent page is shown, and answered by the session that saw it. Nothing is ever agreed to in silence."""

import secrets
from typing import NamedTuple

from pendesk.domain import limits, token
from pendesk.domain.oauth import Client, Code, Consent, Device
from pendesk.operations.dispatch import Store
from pendesk.store import clients, codes, consents, devices, people, sign_in
from pendesk.store.engine.tx import Tx


class Asked(NamedTuple):
    """What a client wants: from a browser (redirect_uri and challenge) or for a device."""

    client_id: str
    client_name: str
    scopes: str
    resource: str
    redirect_uri: str | None = None
    state: str | None = None
    challenge: str | None = None
    device_hash: str | None = None


class Answer(NamedTuple):
    workspace_id: str
    allowed: bool


class Answered(NamedTuple):
    """code is set where a browser goes back with one; `done` is false where the device no longer waits."""

    consent: Consent
    code: str | None = None
    done: bool = True


def asked_by(client: Client, device: Device) -> Asked:
    return Asked(client.id, device.client_name, device.scopes, device.resource, device_hash=device.hash)


async def open_consent(store: Store, session: str, args: Asked) -> str:
    """The ticket that the page's form carries: good once, for ten minutes, for this session."""
    ticket = token.write_code(secrets.token_bytes(token.RANDOM_BYTES))

    def work(tx: Tx) -> None:
        known = {"hash": token.digest(ticket), "session_hash": token.digest(session)}
        consents.add(tx, Consent(**known, **args._asdict(), expires_at=tx.now + limits.CONSENT_US))

    await store.write("", work)
    return ticket


async def answer_consent(store: Store, ticket: str, session: str, user_id: str, answer: Answer) -> Answered | None:
    """None where the ticket is unknown, used, too old or another session's, or the workspace is not theirs."""
    ticket_hash, session_hash = token.digest(ticket), token.digest(session)

    def work(tx: Tx) -> Answered | None:
        people.lock_member(tx, user_id)  # a removal that is under way comes first
        places = [place for place, _name in sign_in.workspaces(tx, session_hash)]
        consent = consents.take(tx, ticket_hash, session_hash)
        if consent is None or answer.workspace_id not in places:
            return None
        if consent.device_hash is not None:
            return _answer_device(tx, consent, user_id, answer)
        return Answered(consent, _give_code(tx, consent, user_id, answer) if answer.allowed else None)

    return await store.write(answer.workspace_id, work)


def _give_code(tx: Tx, consent: Consent, user_id: str, answer: Answer) -> str:
    assert consent.redirect_uri is not None
    assert consent.challenge is not None
    secret = token.write_token(secrets.token_bytes(token.RANDOM_BYTES), token.CODE_PREFIX)
    codes.add(
        tx,
        Code(
            hash=token.digest(secret),
            workspace_id=answer.workspace_id,
            user_id=user_id,
            client_id=consent.client_id,
            client_name=consent.client_name,
            redirect_uri=consent.redirect_uri,
            challenge=consent.challenge,
            scopes=consent.scopes,
            resource=consent.resource,
            expires_at=tx.now + limits.CODE_US,
            used_at=None,
            grant_id=None,
        ),
    )
    clients.save_used(tx, consent.client_id)
    return secret


def _answer_device(tx: Tx, consent: Consent, user_id: str, answer: Answer) -> Answered:
    assert consent.device_hash is not None
    devices.lock(tx, consent.device_hash)
    device = devices.by_hash(tx, consent.device_hash)
    if device is None or device.state != "pending" or device.expires_at <= tx.now:
        return Answered(consent, done=False)
    state = "approved" if answer.allowed else "denied"
    devices.decide(tx, device.hash, state, answer.workspace_id, user_id)
    clients.save_used(tx, consent.client_id)
    return Answered(consent)
