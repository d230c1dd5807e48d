"""answer_consent: a consent page is answered, by the session that saw it."""

import secrets
from typing import NamedTuple

from pendesk.domain import limits, token
from pendesk.domain.oauth import AuthorizationCode, PendingConsent, granted_scopes
from pendesk.operations.operation import Kind, Match, PrivilegedCall, SecretOperation
from pendesk.store import clients, codes, consents, devices, people, sign_in
from pendesk.store.engine.tx import Tx


class AnswerConsent(NamedTuple):
    ticket: str
    session: str
    user_id: str
    workspace_id: str
    allowed: bool
    tools: str = ""  # a set of tools that the person chose instead of what was requested


class AnsweredConsent(NamedTuple):
    """code is set where a browser goes back with one; `done` is false where the device no longer waits."""

    consent: PendingConsent
    code: str | None = None
    done: bool = True


def find(call: PrivilegedCall, args: AnswerConsent) -> Match[None]:
    """A workspace that is not theirs is not entered; the ticket is spent all the same."""
    return Match(args.workspace_id if _session_can_access_workspace(call.tx, args) else "", None)


def run(call: PrivilegedCall, args: AnswerConsent, _match: None) -> AnsweredConsent | None:
    people.lock_member(call.tx, args.user_id)  # a removal that is under way comes first
    may_act = _session_can_access_workspace(call.tx, args)
    consent = consents.pop_pending(call.tx, token.hash_secret(args.ticket), token.hash_secret(args.session))
    if consent is None or not may_act or args.workspace_id != call.tx.workspace:
        return None
    consent = consent._replace(scopes=granted_scopes(consent.scopes, args.tools))
    if consent.device_hash is not None:
        return _save_device_decision(call.tx, consent, args)
    return AnsweredConsent(consent, _issue_authorization_code(call.tx, consent, args) if args.allowed else None)


def _session_can_access_workspace(tx: Tx, args: AnswerConsent) -> bool:
    workspaces = sign_in.workspace_ids_and_names_for_session(tx, token.hash_secret(args.session))
    return args.workspace_id in [workspace_id for workspace_id, _name in workspaces]


def _issue_authorization_code(tx: Tx, consent: PendingConsent, args: AnswerConsent) -> str:
    assert consent.redirect_uri is not None
    assert consent.challenge is not None
    secret = token.make_token(secrets.token_bytes(token.RANDOM_BYTES), token.CODE_PREFIX)
    codes.add(
        tx,
        AuthorizationCode(
            hash=token.hash_secret(secret),
            workspace_id=args.workspace_id,
            user_id=args.user_id,
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
    clients.mark_used(tx, consent.client_id)
    return secret


def _save_device_decision(tx: Tx, consent: PendingConsent, args: AnswerConsent) -> AnsweredConsent:
    assert consent.device_hash is not None
    devices.lock(tx, consent.device_hash)
    device = devices.by_hash(tx, consent.device_hash)
    if device is None or device.state != "pending" or device.expires_at <= tx.now:
        return AnsweredConsent(consent, done=False)
    state = "approved" if args.allowed else "denied"
    devices.save_decision(tx, device.hash, state, args.workspace_id, args.user_id, consent.scopes)
    clients.mark_used(tx, consent.client_id)
    return AnsweredConsent(consent)


OPERATION = SecretOperation(
    name="answer_consent",
    title="Answer a consent page",
    description=(
        "What was agreed to, or None where the ticket is unknown, used, too old or another session's, or the workspace "
        "is not theirs."
    ),
    input=AnswerConsent,
    output=AnsweredConsent | None,
    kind=Kind.WRITE,
    check=None,
    find=find,
    verify=None,
    run=run,
)
