"""draft_spec: propose a spec, or a change to one."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import BadField
from pendesk.domain.project import Project, Spec
from pendesk.domain.proposal import LISTS, Proposal, spec_items
from pendesk.domain.scope_rules import FIELDS, check_rules
from pendesk.operations.fields import IdempotencyKey, Ident, Lines, ProjectId, SpecId, TaskId, Text, Title
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.operations.proposals.drafting_task import find_drafting_task
from pendesk.operations.proposals.results import DraftSaved, draft_saved
from pendesk.operations.proposals.save_proposal import DraftTarget, find_replaced_proposal, save_proposal
from pendesk.operations.revisions import revision_content
from pendesk.operations.specs.find import find_spec

DraftId = Annotated[Ident, Meta(description="The draft that this replaces.")]


class DraftSpec(Input):
    project_id: Annotated[ProjectId, Meta(description="For a new spec.")] | None = None
    spec_id: Annotated[SpecId, Meta(description="To change one; what you leave out stays.")] | None = None
    title: Title | None = None
    summary: Annotated[Text, Meta(description="What it is and who needs it; Markdown.")] | None = None
    results: Annotated[Lines, Meta(description="What is true when it is done.")] | None = None
    conditions: Annotated[Lines, Meta(description="What must hold on the way.")] | None = None
    boundaries: Annotated[Lines, Meta(description="What is out of scope.")] | None = None
    task_id: Annotated[TaskId, Meta(description="The task that asked for it.")] | None = None
    draft_id: DraftId | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: DraftSpec) -> DraftSaved:
    previous = find_replaced_proposal(call, "spec", args.draft_id)
    spec, project = _find_spec_and_lock_project(call, args, previous)
    if spec is None and args.title is None:
        raise BadField("title", "is required for a new spec.")
    task = find_drafting_task(call, "spec", project.id, args.task_id)
    before = revision_content.spec_content(spec) if spec else {}
    saved = [text for field in FIELDS for text in before.get(field, [])]
    check_rules({field: getattr(args, field) or before.get(field, []) for field in FIELDS}, saved)
    items = spec_items(before, {name: getattr(args, name) for name in ("title", "summary", *LISTS)})
    target = DraftTarget(
        "spec",
        args.title or (spec.title if spec else ""),
        project.id,
        spec_id=spec.id if spec else None,
        base_revision=spec.revision if spec else 0,
        action_id=task.id if task else None,
    )
    return draft_saved(call, save_proposal(call, target, items, previous))


def _find_spec_and_lock_project(call: Call, args: DraftSpec, previous: Proposal | None) -> tuple[Spec | None, Project]:
    spec_id = args.spec_id or (previous.spec_id if previous else None)
    spec = find_spec(call, spec_id) if spec_id else None
    project_id = spec.project_id if spec else args.project_id or (previous.project_id if previous else None)
    if project_id is None:
        raise BadField("project_id", "say where it belongs: project_id for a new spec, or the spec_id of one.")
    project = find_and_lock_project(call, project_id)
    if previous is not None and previous.project_id != project.id:
        raise BadField("draft_id", "is a draft of another project; leave it out.")
    return spec, project


OPERATION = Operation(
    name="draft_spec",
    title="Draft a spec",
    description=(
        "Propose a spec, or a change to one: a person accepts all, some or none of it, and publishes it. Nothing is "
        "changed by this. Next: give your user the url. Refused: 422 nothing differs, or too many drafts wait."
    ),
    input=DraftSpec,
    output=DraftSaved,
    scope=Scope.SPECS_WRITE,
    role=Role.MEMBER,
    kind=Kind.LONG_WRITE,  # it compares long texts
    run=run,
)
