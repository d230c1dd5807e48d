"""Texts that several people edit: every revision is kept, and nobody overwrites what they have not seen."""

from typing import Any

from pendesk.domain.errors import RevisionConflict
from pendesk.domain.limits import EVENT_LIST_ITEMS, EVENT_TEXT_CHARS


def changed_fields(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    return [name for name in after if before.get(name) != after[name]]


def conflict(
    expected: int,
    current: int,
    changed_by: str,
    changed_at: str,
    expected_content: dict[str, Any],
    present: dict[str, Any],
) -> RevisionConflict:
    """All that is needed to merge: what has changed since the revision the caller worked on, as it is now."""
    changed = changed_fields(expected_content, present)
    return RevisionConflict(
        f"You edited revision {expected}, but {changed_by} has changed the text since; it is at revision {current}. "
        f"Changed: {', '.join(changed) or 'nothing you cannot see'}. Merge your edit into the present text "
        f"(in this answer) and send it again with expected_revision {current}.",
        person=f"{changed_by} has changed this since you began. Copy your text, reload the page and merge the two.",
        currentRevision=current,
        changedBy=changed_by,
        changedAt=changed_at,
        changed={name: present[name] for name in changed},
    )


def before_and_after(before: dict[str, Any], after: dict[str, Any]) -> dict[str, object]:
    """What the log says about an edit. Long texts are cut: the revisions have them whole."""
    fields = changed_fields(before, after)
    return {
        "fields": fields,
        "before": {name: _cut(before.get(name)) for name in fields},
        "after": {name: _cut(after[name]) for name in fields},
    }


def _cut(value: Any) -> Any:
    if isinstance(value, str) and len(value) > EVENT_TEXT_CHARS:
        return value[:EVENT_TEXT_CHARS] + "…"
    return [_cut(item) for item in value[:EVENT_LIST_ITEMS]] if isinstance(value, list) else value
