"""The names behind the ids in events, looked up when they are read: the log itself holds no person's name."""

from collections.abc import Sequence

from pendesk.domain.action import ref_code
from pendesk.domain.event_phrases import EventNames, EventSubject, Phrase, describe, named_users
from pendesk.store import timeline
from pendesk.store.engine.json_text import from_json
from pendesk.store.engine.tx import Tx
from pendesk.store.timeline import TimelineRow


def event_names(tx: Tx, rows: Sequence[TimelineRow]) -> EventNames:
    user_ids = {ident for row in rows for ident in named_users(row.kind, row.object_id, from_json(row.data))}
    return EventNames(timeline.member_names(tx, sorted(user_ids)))


def with_invites(tx: Tx, names: EventNames, rows: Sequence[TimelineRow]) -> EventNames:
    """With the addresses too, for readers who may see those events: admins, and who sent the invite."""
    invite_ids = {row.object_id for row in rows if row.kind.startswith("invite.")}
    return names._replace(invites=timeline.invite_addresses(tx, sorted(invite_ids)))


def ref_of(row: TimelineRow) -> str | None:
    return ref_code(row.project_key, row.ref_number) if row.project_key and row.ref_number is not None else None


def phrase_of(row: TimelineRow, names: EventNames) -> Phrase:
    subject = EventSubject(row.kind, row.actor_id, row.object_id, ref_of(row))
    return describe(subject, from_json(row.data), names)
