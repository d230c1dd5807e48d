"""find_invite: the invite behind a link's code, while it can be accepted; and how one is accepted."""

from pendesk.domain import token
from pendesk.domain.access import ALL_SCOPES, Actor, Role
from pendesk.domain.event import Event
from pendesk.domain.event_data import MemberAddedData
from pendesk.domain.people import Member, User
from pendesk.operations.operation import Answer, Kind, PrivilegedCall, SecretOperation
from pendesk.store import invites, people
from pendesk.store.engine.tx import Tx
from pendesk.store.invites import Waiting


def find(call: PrivilegedCall, code: str) -> Answer[Waiting | None]:
    return Answer(find_waiting(call.tx, code))


def find_waiting(tx: Tx, code: str) -> Waiting | None:
    waiting = invites.waiting(tx, token.digest(code))
    if waiting is None:
        return None
    # What the inviter may not give any more, their invite does not give either.
    may_give = max(Role.ADMIN, Role.from_word(waiting.invite.role))
    return waiting if Role.from_word(waiting.inviter_role) >= may_give else None


def lock_waiting(tx: Tx, code: str) -> Waiting | None:
    invites.lock(tx, token.digest(code))
    return find_waiting(tx, code)


def accept(call: PrivilegedCall, waiting: Waiting, user: User) -> None:
    """From here on the call is the new member's."""
    role = Role.from_word(waiting.invite.role)
    invites.use(call.tx, waiting.invite.id)
    people.add_or_return_member(call.tx, Member(user.id, role.word, call.now, None))
    call.act_as(Actor(call.tx.workspace, user.id, user.name, role, ALL_SCOPES, "web"))
    member = MemberAddedData(role=role.word, kind=user.kind, invite=waiting.invite.id)
    call.record(Event("member.added", user.id, data=member))


OPERATION: SecretOperation[str, None, Waiting | None] = SecretOperation(
    name="find_invite",
    title="Find an invite",
    description="The invite behind a link's code, or None where it is used, revoked, too old or not given any more.",
    input=str,
    output=Waiting | None,
    kind=Kind.READ,
    check=None,
    find=find,
    verify=None,
    run=None,
)
