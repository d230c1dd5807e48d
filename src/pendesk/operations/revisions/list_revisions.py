"""list_revisions: who changed a text, when, and what it said before."""

from typing import Annotated, Any

from msgspec import Meta

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import REVISIONS_PER_PAGE
from pendesk.domain.revision import changed_field_names
from pendesk.operations.fields import Ident, Revision
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.revisions.find import NEWEST, resolve_object_id, revision_not_found_refusal
from pendesk.store import revisions
from pendesk.store.revisions import StoredRevision


class ListRevisions(Input):
    object_id: Annotated[Ident, Meta(description="Pid of a spec, plan, action, document or note; or its ref code.")]
    revision: Annotated[Revision, Meta(description="Only this one, with its whole content.")] | None = None
    cursor: Annotated[Revision, Meta(description="nextCursor of the page before.")] | None = None


class RevisionRow(Output):
    """fields are those that differ from the revision before; content is there when one revision was asked for."""

    revision: int
    author_id: str
    author: str
    written_at: str
    fields: list[str]
    content: dict[str, Any] | None = None


class Revisions(Output):
    object_id: str
    revisions: list[RevisionRow]
    next_cursor: int | None = None


def run(call: Call, args: ListRevisions) -> Revisions:
    object_id = resolve_object_id(call, args.object_id)
    count = 1 if args.revision is not None else REVISIONS_PER_PAGE
    before = args.revision + 1 if args.revision is not None else args.cursor or NEWEST
    # One more than is shown: each row is compared with the one before it.
    matches = revisions.of_object(call.tx, object_id, before, count + 1) if object_id else []
    if object_id is None or not matches or (args.revision is not None and matches[0].revision != args.revision):
        raise revision_not_found_refusal(call, object_id, args.revision, args.object_id)
    older = [*matches[1:], None]
    rows = [_revision_row(revision, previous) for revision, previous in zip(matches[:count], older, strict=False)]
    if args.revision is not None:
        rows[0].content = matches[0].content
        return Revisions(object_id=object_id, revisions=rows)
    return Revisions(
        object_id=object_id,
        revisions=rows,
        next_cursor=matches[count - 1].revision if len(matches) > count else None,
    )


def _revision_row(revision: StoredRevision, previous: StoredRevision | None) -> RevisionRow:
    return RevisionRow(
        revision=revision.revision,
        author_id=revision.author_id,
        author=revision.author,
        written_at=to_iso(revision.written_at),
        fields=changed_field_names(previous.content if previous else {}, revision.content),
    )


OPERATION = Operation(
    name="list_revisions",
    title="List revisions",
    description=(
        "Every revision of a text, newest first: who wrote it, when, and which fields changed. Give revision to read "
        "one of them whole. Refused: 404 no such text or revision."
    ),
    input=ListRevisions,
    output=Revisions,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.LONG_READ,
    run=run,
)
