"""create_first_workspace: how an installation begins, with a workspace and its owner."""

from typing import NamedTuple

import msgspec

from pendesk.domain.access import ALL_SCOPES, Actor, Role
from pendesk.domain.event import Event
from pendesk.domain.event_data import MemberAddedData, UserCreatedData, WorkspaceCreatedData
from pendesk.domain.people import Member, User, Workspace
from pendesk.ids import new_id
from pendesk.operations.access.accounts import Email
from pendesk.operations.decode_input import decode_input
from pendesk.operations.fields import Name
from pendesk.operations.operation import Input, PrivilegedCall, ServerOperation, Transactions, encode_json
from pendesk.store import people
from pendesk.store.installation import get_or_set_first_workspace_id


class CreateFirstWorkspace(Input):
    workspace: Name
    name: Name
    email: Email | None = None


class FirstWorkspace(NamedTuple):
    """`new`: this call created it."""

    id: str
    name: str
    new: bool


_DECODER = msgspec.json.Decoder(CreateFirstWorkspace)


async def run(transactions: Transactions, args: CreateFirstWorkspace) -> FirstWorkspace:
    """Safe to run twice, and by several processes at once: one of them creates it, the others find it."""
    checked: CreateFirstWorkspace = decode_input(_DECODER, encode_json(args))
    proposed = new_id()
    first = await transactions.write(proposed, lambda call: _create_or_find_first_workspace_id(call, checked))
    if first == proposed:
        return FirstWorkspace(first, checked.workspace, new=True)
    email = checked.email.lower() if checked.email else None
    return FirstWorkspace(
        first, await transactions.write(first, lambda call: _add_owner_email_get_workspace_name(call, email)), new=False
    )


def _create_or_find_first_workspace_id(call: PrivilegedCall, args: CreateFirstWorkspace) -> str:
    """The id of the first workspace: another one than ours where another process was first."""
    first = get_or_set_first_workspace_id(call.tx, call.tx.workspace)
    if first != call.tx.workspace:
        return first
    people.add_workspace(call.tx, Workspace(first, args.workspace, call.now, "everyone"))
    owner = User(new_id(), "person", args.email and args.email.lower(), args.name, None, call.now)
    people.add_user(call.tx, owner)
    people.add_member(call.tx, Member(owner.id, Role.OWNER.label, call.now, None))
    call.act_as(Actor(first, owner.id, owner.name, Role.OWNER, ALL_SCOPES, "cli"))
    call.record(Event("workspace.created", first, data=WorkspaceCreatedData(name=args.workspace)))
    call.record(Event("user.created", owner.id, data=UserCreatedData(kind="person")))
    call.record(Event("member.added", owner.id, data=MemberAddedData(role=Role.OWNER.label)))
    return first


def _add_owner_email_get_workspace_name(call: PrivilegedCall, email: str | None) -> str:
    """Its name. `serve` creates it without asking; an email that is given later is added, never replaced."""
    owner = people.earliest_added_owner(call.tx)
    if email and owner is not None and owner.email is None and people.user_by_email(call.tx, email) is None:
        people.set_email(call.tx, owner.user_id, email)
    workspace = people.workspace_of_transaction(call.tx)
    assert workspace is not None
    return workspace.name


OPERATION = ServerOperation(
    name="create_first_workspace",
    title="Create the first workspace",
    description="The installation's first workspace, created with its owner where there is none yet.",
    input=CreateFirstWorkspace,
    output=FirstWorkspace,
    run=run,
)
