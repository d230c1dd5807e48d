"""Which users the people of a file are here.

By their id, where that is a member of this workspace, now or once; else by the address of a present member; else
they are stored as a name without an account: a user who cannot sign in, and a member who was removed at once.
Nobody is matched with a user of another workspace: a file must not be a way to ask who is there.
"""

from typing import NamedTuple

import msgspec

from pendesk.domain.errors import Conflict
from pendesk.ids import new_id
from pendesk.operations.exchange.jsonl import Person
from pendesk.operations.operation import Call
from pendesk.store import imported


class PeopleMap(NamedTuple):
    """`local_id_by_id` has those who are somebody else here; `without_account` the others, as they are to be here."""

    local_id_by_id: dict[str, str]
    without_account: list[Person]

    def names_without_account(self) -> list[str]:
        return sorted(person.name for person in self.without_account)


def map_people_to_local_users(call: Call, people: list[Person]) -> PeopleMap:
    ids_in_file = [person.id for person in people]
    members = imported.ids_ever_member_of_workspace(call.tx, ids_in_file)
    taken_ids = imported.filter_existing_user_ids(call.tx, ids_in_file)
    by_email = imported.member_ids_by_email(call.tx, [person.email.lower() for person in people if person.email])
    ids: dict[str, str] = {}
    without_account: list[Person] = []
    for person in people:
        if person.id in members:
            continue
        local_id = by_email.get((person.email or "").lower())
        if local_id is None:
            local_id = new_id() if person.id in taken_ids else person.id
            without_account.append(msgspec.structs.replace(person, id=local_id))
        if local_id != person.id:
            ids[person.id] = local_id
    return PeopleMap(ids, without_account)


def add_people_without_account(call: Call, people: list[Person]) -> None:
    """Another import may have added some of them meanwhile."""
    ids = [person.id for person in people]
    members = imported.ids_ever_member_of_workspace(call.tx, ids)
    if imported.filter_existing_user_ids(call.tx, ids) - members:
        raise Conflict("Somebody in the file was added to another workspace meanwhile. Import the file again.")
    for person in people:
        if person.id not in members:
            imported.add_person_without_account(call.tx, person.id, person.kind, person.name, person.email)
