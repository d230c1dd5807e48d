"""Whom the people of a file are here.

By their id, where that is a member of this workspace, now or once; else by the address of a present member; else
they are kept as a name without an account: a user whom nothing lets in, and a member who left before they came.
Nobody is matched with a user of another workspace: a file must not be a way to ask who is there.
"""

from typing import NamedTuple

from pendesk.ids import new_id
from pendesk.operations.exchange.jsonl import Person
from pendesk.operations.operation import Call
from pendesk.store import imported


class Known(NamedTuple):
    """`ids` has those who are somebody else here; `names` are those without an account."""

    ids: dict[str, str]
    names: list[str]


def recognise(call: Call, people: list[Person], *, keep: bool) -> Known:
    wanted = [person.id for person in people]
    members = imported.members(call.tx, wanted)
    taken = imported.taken(call.tx, wanted)
    by_email = imported.by_email(call.tx, [person.email.lower() for person in people if person.email])
    ids: dict[str, str] = {}
    names: list[str] = []
    for person in people:
        if person.id in members:
            continue
        here = by_email.get((person.email or "").lower())
        if here is None:
            here = new_id() if person.id in taken else person.id
            names.append(person.name)
            if keep:
                imported.add_name(call.tx, here, person.kind, person.name, person.email)
        if here != person.id:
            ids[person.id] = here
    return Known(ids, names)
