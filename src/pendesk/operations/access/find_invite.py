"""find_invite: the invite behind a link's code, while it can be accepted; and how one is accepted."""

from pendesk.domain import token
from pendesk.domain.access import ALL_SCOPES, Actor, Role
from pendesk.domain.event import Event
from pendesk.domain.event_data import MemberAddedData
from pendesk.domain.people import Member, User
from pendesk.operations.operation import Answer, Kind, PrivilegedCall, SecretOperation
from pendesk.store import invites, people
from pendesk.store.engine.tx import Tx
from pendesk.store.invites import PendingInvite


def find(call: PrivilegedCall, code: str) -> Answer[PendingInvite | None]:
    return Answer(find_pending_invite(call.tx, code))


def find_pending_invite(tx: Tx, code: str) -> PendingInvite | None:
    waiting = invites.pending_by_hash(tx, token.hash_secret(code))
    if waiting is None:
        return None
    # What the inviter may not give any more, their invite does not give either.
    may_give = max(Role.ADMIN, Role.from_label(waiting.invite.role))
    return waiting if Role.from_label(waiting.inviter_role) >= may_give else None


def find_and_lock_pending_invite(tx: Tx, code: str) -> PendingInvite | None:
    invites.lock(tx, token.hash_secret(code))
    return find_pending_invite(tx, code)


def accept_invite(call: PrivilegedCall, pending: PendingInvite, user: User) -> None:
    """From here on the call is the new member's."""
    role = Role.from_label(pending.invite.role)
    invites.mark_used(call.tx, pending.invite.id)
    people.add_or_restore_member(call.tx, Member(user.id, role.label, call.now, None))
    call.act_as(Actor(call.tx.workspace, user.id, user.name, role, ALL_SCOPES, "web"))
    member = MemberAddedData(role=role.label, kind=user.kind, invite=pending.invite.id)
    call.record(Event("member.added", user.id, data=member))


OPERATION: SecretOperation[str, None, PendingInvite | None] = SecretOperation(
    name="find_invite",
    title="Find an invite",
    description="The invite behind a link's code, or None where it is used, revoked, too old or not given any more.",
    input=str,
    output=PendingInvite | None,
    kind=Kind.READ,
    check=None,
    find=find,
    verify=None,
    run=None,
)
