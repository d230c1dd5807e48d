"""The names behind the ids in events, looked up when they are read: the log itself holds no person's name, and titles
change.
"""

from collections import defaultdict
from collections.abc import Sequence

from pendesk.domain.action import ref_code
from pendesk.domain.event_phrases import (
    EventSubject,
    MentionedNames,
    Phrase,
    TitledNoun,
    describe_event,
    mentioned_user_ids,
    titled_of_event,
)
from pendesk.store import timeline
from pendesk.store.engine.json_text import from_json
from pendesk.store.engine.tx import Tx
from pendesk.store.timeline import TimelineRow


def load_mentioned_names(tx: Tx, rows: Sequence[TimelineRow]) -> MentionedNames:
    user_ids = {ident for row in rows for ident in mentioned_user_ids(row.kind, row.object_id, from_json(row.data))}
    ids_by_noun: dict[TitledNoun, set[str]] = defaultdict(set)
    for row in rows:
        if titled := titled_of_event(_subject(row), from_json(row.data)):
            ids_by_noun[titled.noun].add(titled.id)
    return MentionedNames(
        timeline.member_names_by_id(tx, sorted(user_ids)), title_by_id=timeline.titles_by_id(tx, ids_by_noun)
    )


def with_invite_emails(tx: Tx, names: MentionedNames, rows: Sequence[TimelineRow]) -> MentionedNames:
    """With the addresses too, for readers who may see those events: admins, and who sent the invite."""
    invite_ids = {row.object_id for row in rows if row.kind.startswith("invite.")}
    return names._replace(address_by_invite_id=timeline.invite_emails_by_id(tx, sorted(invite_ids)))


def action_ref_code(row: TimelineRow) -> str | None:
    return ref_code(row.project_key, row.ref_number) if row.project_key and row.ref_number is not None else None


def describe_timeline_row(row: TimelineRow, names: MentionedNames) -> Phrase:
    return describe_event(_subject(row), from_json(row.data), names)


def _subject(row: TimelineRow) -> EventSubject:
    return EventSubject(row.kind, row.actor_id, row.object_id, action_ref_code(row), row.spec_id)
