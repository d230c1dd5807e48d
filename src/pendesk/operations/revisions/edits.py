"""Editing a text that has revisions, the same for every noun.

Each noun says what its content is: a flat dictionary, under the names that callers know its fields by.
"""

from typing import Any, NamedTuple

from pendesk.clock import to_iso
from pendesk.domain.revision import build_edit_event_data, changed_field_names, revision_conflict
from pendesk.operations.operation import Call
from pendesk.store import revisions


class Edit(NamedTuple):
    """`event_data` is for the log; an edit that changes nothing keeps the revision."""

    changed: bool
    revision: int
    content: dict[str, Any]
    event_data: dict[str, object]


def save_first_revision(call: Call, object_id: str, content: dict[str, Any]) -> None:
    revisions.add(call.tx, object_id, 1, content, call.actor.user_id)


def apply_edit_and_add_revision(
    call: Call,
    object_id: str,
    current_revision: int,
    current_content: dict[str, Any],
    changes: dict[str, Any],
    expected_revision: int | None,
) -> Edit:
    """Apply the changes (None: leave it) to the present content, which the caller has locked."""
    if expected_revision is not None and expected_revision != current_revision:
        newest = revisions.of_object(call.tx, object_id, current_revision + 1, 1)[0]
        seen_content = revisions.content(call.tx, object_id, expected_revision)
        raise revision_conflict(
            expected_revision, current_revision, newest.author, to_iso(newest.written_at), seen_content, current_content
        )
    content = current_content | {name: value for name, value in changes.items() if value is not None}
    if not changed_field_names(current_content, content):
        return Edit(False, current_revision, current_content, {})
    revisions.add(call.tx, object_id, current_revision + 1, content, call.actor.user_id)
    event_data: dict[str, object] = {
        "revision": current_revision + 1,
        **build_edit_event_data(current_content, content),
    }
    return Edit(True, current_revision + 1, content, event_data)
