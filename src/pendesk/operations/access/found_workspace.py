"""How an installation begins: the first workspace and its owner. Not an operation: there is nobody yet to call it."""

from typing import NamedTuple

import msgspec

from pendesk.domain.access import ALL_SCOPES, Actor, Role
from pendesk.domain.event import Event
from pendesk.domain.people import Account, Member, User, Workspace
from pendesk.ids import new_id
from pendesk.operations.access.accounts import Email
from pendesk.operations.decode_input import read_input
from pendesk.operations.dispatch import Store
from pendesk.operations.fields import Name
from pendesk.operations.operation import Call, Input, Installation, encode_json
from pendesk.store import people
from pendesk.store.engine.tx import Tx
from pendesk.store.installation import find_first_workspace, first_workspace


class FoundWorkspace(Input):
    workspace: Name
    name: Name
    email: Email | None = None


class Founded(NamedTuple):
    workspace_id: str
    new: bool


_DECODER = msgspec.json.Decoder(FoundWorkspace)


async def found_workspace(
    store: Store, installation: Installation, *, workspace: str, name: str, email: str | None
) -> Founded:
    """Safe to run twice, and by several processes at once: one of them founds, the others find."""
    args = read_input(_DECODER, encode_json({"workspace": workspace, "name": name, "email": email}))
    proposed = new_id()

    def work(tx: Tx) -> Founded:
        first = first_workspace(tx, proposed)
        if first == proposed:
            _found(tx, installation, args)
        return Founded(first, first == proposed)

    founded = await store.write(proposed, work)
    if not founded.new and args.email:
        await store.write(founded.workspace_id, lambda tx: _complete_owner(tx, args.email.lower()))
    return founded


def _complete_owner(tx: Tx, email: str) -> None:
    """`serve` founds without asking; an email that is told later is added, never replaced."""
    owner = people.first_owner(tx)
    if owner is not None and owner.email is None and people.user_by_email(tx, email) is None:
        people.set_email(tx, owner.user_id, email)


def _found(tx: Tx, installation: Installation, args: FoundWorkspace) -> None:
    workspace, name = args.workspace, args.name
    people.add_workspace(tx, Workspace(tx.workspace, workspace, tx.now))
    user = User(new_id(), "person", args.email and args.email.lower(), name, None, tx.now)
    people.add_user(tx, user)
    people.add_member(tx, Member(user.id, Role.OWNER.word, tx.now, None))
    call = Call(tx, Actor(tx.workspace, user.id, name, Role.OWNER, ALL_SCOPES, "cli"), installation)
    call.record(Event("workspace.created", tx.workspace, data={"name": workspace}))
    call.record(Event("user.created", user.id, data={"name": name, "kind": "person"}))
    call.record(Event("member.added", user.id, data={"role": Role.OWNER.word}))


async def find_local_actor(store: Store, email: str | None) -> Actor | None:
    """Who may read the data folder acts as the first owner, or as the member they name."""
    workspace_id = await store.read("", find_first_workspace)
    if workspace_id is None:
        return None

    def work(tx: Tx) -> Account | None:
        return people.account_by_email(tx, email.strip().lower()) if email else people.first_owner(tx)

    account = await store.read(workspace_id, work)
    if account is None:
        return None
    return Actor(workspace_id, account.user_id, account.name, Role.from_word(account.role), ALL_SCOPES, "cli")
