"""compare_revisions: two revisions of a text, word by word; or one of them and a draft that is not saved yet."""

from typing import Annotated, Any

from msgspec import Meta

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.comparison import compare_fields
from pendesk.domain.errors import BadField
from pendesk.domain.limits import DRAFT_FIELDS, TEXT_CHARS
from pendesk.operations.fields import Ident, Revision
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.revisions.comparison_results import FieldDiff, to_field_diffs
from pendesk.operations.revisions.find import NEWEST, resolve_object_id, revision_not_found_refusal
from pendesk.store import projects, revisions
from pendesk.store.revisions import StoredRevision

FieldName = Annotated[str, Meta(max_length=40)]
Drafted = Annotated[str, Meta(max_length=TEXT_CHARS)]


class CompareRevisions(Input):
    object_id: Annotated[Ident, Meta(description="Pid of a spec, plan, action, document or note; or its ref code.")]
    from_revision: (
        Annotated[Revision, Meta(description="The older one; the one before to_revision if left out.")] | None
    ) = None
    to_revision: Annotated[Revision, Meta(description="The newer one; the newest if left out.")] | None = None
    restored_revision: (
        Annotated[Revision, Meta(description="Instead: the newest, and what restoring this one would make of it.")]
        | None
    ) = None
    draft: (
        Annotated[
            dict[FieldName, Drafted],
            Meta(
                max_length=DRAFT_FIELDS,
                description="Fields as they would be saved, compared with to_revision; of a list, an item a line.",
            ),
        ]
        | None
    ) = None


class RevisionHead(Output):
    revision: int
    author: str
    written_at: str


class RevisionsCompared(Output):
    """after is left out where a draft was compared."""

    object_id: str
    before: RevisionHead
    fields: list[FieldDiff]
    after: RevisionHead | None = None


def run(call: Call, args: CompareRevisions) -> RevisionsCompared:
    object_id = resolve_object_id(call, args.object_id)
    if args.restored_revision is not None:
        return _compare_newest_with_restored(call, object_id, args.restored_revision, args.object_id)
    newer = _find_revision_or_newest(call, object_id, args.to_revision, args.object_id)
    if args.draft is not None:
        drafted = newer.content | _parse_draft_fields(newer.content, args.draft)
        return RevisionsCompared(
            object_id=object_id or "",
            before=_revision_metadata(newer),
            fields=_field_diffs(call, newer.content, drafted),
        )
    older = _find_older_revision(call, object_id, args.from_revision, newer, args.object_id)
    fields = _field_diffs(call, older.content if older else {}, newer.content)
    before = (
        _revision_metadata(older) if older else RevisionHead(revision=0, author="", written_at=to_iso(newer.written_at))
    )
    return RevisionsCompared(object_id=object_id or "", before=before, fields=fields, after=_revision_metadata(newer))


def _compare_newest_with_restored(
    call: Call, object_id: str | None, revision: int, id_for_error_message: str
) -> RevisionsCompared:
    newest = _find_revision_or_newest(call, object_id, None, id_for_error_message)
    restored = _find_revision_or_newest(call, object_id, revision, id_for_error_message)
    return RevisionsCompared(
        object_id=object_id or "",
        before=_revision_metadata(newest),
        fields=_field_diffs(call, newest.content, newest.content | restored.content),
        after=_revision_metadata(restored),
    )


def _find_revision_or_newest(
    call: Call, object_id: str | None, revision: int | None, id_for_error_message: str
) -> StoredRevision:
    before = revision + 1 if revision is not None else NEWEST
    matches = revisions.of_object(call.tx, object_id, before, 1) if object_id else []
    if not matches or (revision is not None and matches[0].revision != revision):
        raise revision_not_found_refusal(call, object_id, revision, id_for_error_message)
    return matches[0]


def _find_older_revision(
    call: Call, object_id: str | None, requested_revision: int | None, newer: StoredRevision, id_for_error_message: str
) -> StoredRevision | None:
    """Before the first revision there was nothing."""
    revision = requested_revision if requested_revision is not None else newer.revision - 1
    if requested_revision is not None and requested_revision > newer.revision:
        raise BadField("from_revision", f"is newer than revision {newer.revision}; give the older one here.")
    return _find_revision_or_newest(call, object_id, revision, id_for_error_message) if revision else None


def _parse_draft_fields(current_fields: dict[str, Any], draft: dict[str, str]) -> dict[str, Any]:
    for name in draft:
        if not isinstance(current_fields.get(name), str | list):
            raise BadField("draft", f"{name!r} is no field of this text. It has: {', '.join(current_fields)}.")
    return {
        name: _non_blank_lines(text) if isinstance(current_fields[name], list) else text for name, text in draft.items()
    }


def _non_blank_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def _field_diffs(call: Call, before: dict[str, Any], after: dict[str, Any]) -> list[FieldDiff]:
    return to_field_diffs(
        compare_fields(_replace_goal_id_with_title(call, before), _replace_goal_id_with_title(call, after))
    )


def _replace_goal_id_with_title(call: Call, content: dict[str, Any]) -> dict[str, Any]:
    """A goal is shown by its title: nobody reads ids."""
    if not content.get("goalId"):
        return content
    goal = projects.goal_by_id(call.tx, content["goalId"])
    return content | {"goalId": goal.title if goal else content["goalId"]}


def _revision_metadata(revision: StoredRevision) -> RevisionHead:
    return RevisionHead(revision=revision.revision, author=revision.author, written_at=to_iso(revision.written_at))


OPERATION = Operation(
    name="compare_revisions",
    title="Compare revisions",
    description=(
        "What changed between two revisions of a text, word by word and field by field: the newest and the one before "
        "it unless you name others. Give draft to see what saving it would change, or restored_revision what restoring "
        "that one would. Refused: 404 no such text or "
        "revision, 422 the revisions are the wrong way round, or the draft has a field that the text has not."
    ),
    input=CompareRevisions,
    output=RevisionsCompared,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.LONG_READ,
    run=run,
)
