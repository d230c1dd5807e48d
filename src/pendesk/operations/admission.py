"""Whether who was let in may still write, in the very transaction that writes.

Between the request and its transaction a token may be revoked, a sign-in ended, a member removed or given a lower
role. Whoever does that locks the member first (store/credentials.py), so nothing is written after it in their name.
"""

from pendesk.domain.access import NO_USER, Role, check_permission, no_longer_member_error
from pendesk.domain.errors import Refusal, Unauthenticated
from pendesk.operations.access.authenticate_token import unknown_token_error
from pendesk.operations.operation import AnyOperation, Call
from pendesk.store import credentials

SESSION_ENDED = "This session has ended. Sign in again."


def check_still_admitted(call: Call, operation: AnyOperation) -> None:
    """Before anything else is read or locked. From here on the call has the caller's present role."""
    actor = call.actor
    if actor.user_id == NO_USER:
        return
    credentials.lock_against_revocation(call.tx, actor.user_id)
    role = credentials.role_of(call.tx, actor.credential)
    if role is None:
        raise _shut_out_error(actor.credential.kind)
    if role != actor.role.label:
        call.actor = actor._replace(role=Role.from_label(role))
        check_permission(call.actor, operation.scope, operation.role)


def read_admission_ahead(call: Call) -> None:
    """Locked as above, and looked at later by `is_admitted_as_before`, still before the commit."""
    if call.actor.credential.kind != "user":
        credentials.lock_against_revocation(call.tx, call.actor.user_id)
        credentials.read_role_ahead(call.tx, call.actor.credential)


def is_admitted_as_before(call: Call) -> bool:
    credential = call.actor.credential
    return credential.kind == "user" or credentials.role_of(call.tx, credential) == call.actor.role.label


def _shut_out_error(credential_kind: str) -> Refusal:
    if credential_kind == "token":
        return unknown_token_error()
    return Unauthenticated(SESSION_ENDED) if credential_kind == "session" else no_longer_member_error()
