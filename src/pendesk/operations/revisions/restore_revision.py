"""restore_revision: an old text becomes the newest revision. Nothing is lost: what stood there stays in the history."""

from collections.abc import Callable
from typing import Annotated, Any

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import RuleBroken
from pendesk.operations.documents import update_document, update_note
from pendesk.operations.fields import ExpectedRevision, IdempotencyKey, Ident, Revision
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.plans import update_plan
from pendesk.operations.revisions.find import resolve_object_id, revision_not_found_refusal
from pendesk.operations.specs import update_spec
from pendesk.store import documents, notes, plans, revisions, specs


class RestoreRevision(Input):
    object_id: Annotated[Ident, Meta(description="Pid of a spec, plan, document or note; or its ref code.")]
    revision: Annotated[Revision, Meta(description="The revision to restore.")]
    expected_revision: ExpectedRevision | None = None
    idempotency_key: IdempotencyKey | None = None


class Restored(Output):
    """pid and revision of the text as it is now."""

    pid: str
    revision: int


def run(call: Call, args: RestoreRevision) -> Restored:
    pid = resolve_object_id(call, args.object_id)
    content = revisions.content(call.tx, pid, args.revision) if pid else {}
    if pid is None or not content:
        raise revision_not_found_refusal(call, pid, args.revision, args.object_id)
    for find, restore in KINDS:
        if find(call.tx, pid) is not None:
            return Restored(pid=pid, revision=restore(call, pid, content, args.expected_revision))
    raise RuleBroken(
        "Only specs, plans, documents and notes are restored whole. Criteria carry evidence: edit the action instead.",
        code="not_restorable",
    )


def _restore_spec_returning_revision(
    call: Call, spec_id: str, content: dict[str, Any], expected_revision: int | None
) -> int:
    goal_id = content["goalId"]
    texts = {name: content[name] for name in ("title", "summary", *update_spec.LISTS)}
    args = update_spec.UpdateSpec(spec_id=spec_id, goal_id=goal_id, expected_revision=expected_revision, **texts)
    return update_spec.run(call, args).revision


def _restore_plan_returning_revision(
    call: Call, plan_id: str, content: dict[str, Any], expected_revision: int | None
) -> int:
    return update_plan.run(
        call, update_plan.UpdatePlan(plan_id=plan_id, expected_revision=expected_revision, **content)
    ).revision


def _restore_document_returning_revision(
    call: Call, document_id: str, content: dict[str, Any], expected_revision: int | None
) -> int:
    args = update_document.UpdateDocument(
        document_id=document_id,
        title=content["title"],
        body=content["body"],
        status_line=content["statusLine"],
        expected_revision=expected_revision,
    )
    return update_document.update_document(call, args).revision


def _restore_note_returning_revision(
    call: Call, note_id: str, content: dict[str, Any], expected_revision: int | None
) -> int:
    return update_note.update_note(
        call, update_note.UpdateNote(note_id=note_id, expected_revision=expected_revision, **content)
    ).revision


KINDS: list[tuple[Callable[..., Any], Callable[[Call, str, dict[str, Any], int | None], int]]] = [
    (specs.by_id, _restore_spec_returning_revision),
    (plans.by_id, _restore_plan_returning_revision),
    (documents.by_id, _restore_document_returning_revision),
    (notes.by_id, _restore_note_returning_revision),
]

OPERATION = Operation(
    name="restore_revision",
    title="Restore a revision",
    description=(
        "Bring back an old text of a spec, plan, document or note: it becomes the newest revision, and the present one "
        "stays in the history. Refused: 404 no such text or revision, 409 someone changed it since expected_revision, "
        "422 it is an action (its criteria carry evidence)."
    ),
    input=RestoreRevision,
    output=Restored,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
