"""Texts that several people edit: every revision is kept, and nobody overwrites what they have not seen."""

from typing import Any

from pendesk.domain.errors import Advice, BadField, RevisionConflict
from pendesk.domain.limits import EVENT_LIST_ITEMS, EVENT_TEXT_CHARS


def changed_field_names(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    return [name for name in after if before.get(name) != after[name]]


def check_replaced_text_was_read(text: str | None, expected_revision: int | None, read_by: str) -> None:
    """A whole new text may only replace one that its author has seen."""
    if text is not None and expected_revision is None:
        raise BadField(
            "expected_revision",
            "is required with body, which replaces the whole text.",
            advice=(
                Advice(f"{read_by} gives the present text and its revision.", (read_by,)),
                Advice("Send the revision of the text that you read."),
            ),
        )


def revision_conflict(
    expected: int,
    current: int,
    changed_by: str,
    changed_at: str,
    expected_content: dict[str, Any],
    current_content: dict[str, Any],
) -> RevisionConflict:
    """All that is needed to merge: what has changed since the revision the caller worked on, as it is now."""
    changed = changed_field_names(expected_content, current_content)
    happened = (
        f"You edited revision {expected}, but {changed_by} has changed the text since; it is at revision {current}. "
        f"Changed: {', '.join(changed) or 'nothing you cannot see'}."
        if expected < current
        else f"This text has no revision {expected}: its newest is {current}, by {changed_by}."
    )
    return RevisionConflict(
        f"{happened} Merge your edit into the present text (in this answer) and send it again with expected_revision "
        f"{current}.",
        person_message=f"{changed_by} has changed this meanwhile. Copy your text, reload the page and merge the two.",
        currentRevision=current,
        changedBy=changed_by,
        changedAt=changed_at,
        changed={name: current_content[name] for name in changed},
    )


def build_edit_event_data(before: dict[str, Any], after: dict[str, Any]) -> dict[str, object]:
    """What the log says about an edit. Long texts are cut: the revisions have them whole."""
    fields = changed_field_names(before, after)
    return {
        "fields": fields,
        "before": {name: _truncate_for_event(before.get(name)) for name in fields},
        "after": {name: _truncate_for_event(after[name]) for name in fields},
    }


def _truncate_for_event(value: Any) -> Any:
    if isinstance(value, str) and len(value) > EVENT_TEXT_CHARS:
        return value[:EVENT_TEXT_CHARS] + "…"
    return [_truncate_for_event(item) for item in value[:EVENT_LIST_ITEMS]] if isinstance(value, list) else value
