"""create_spec: a reviewable slice of a project."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.event_data import TitledData
from pendesk.domain.project import Spec
from pendesk.domain.scope_rules import check_rules
from pendesk.domain.text_ref import TextKind
from pendesk.ids import new_id
from pendesk.operations.fields import IdempotencyKey, Ident, Label, Lines, ProjectId, Text
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects import search_index
from pendesk.operations.projects.find import find_goal, find_project
from pendesk.operations.revisions import edits, revision_content
from pendesk.operations.specs.results import SpecResult, spec_result
from pendesk.store import participants, specs, text_refs
from pendesk.store.engine.json_text import to_json


class CreateSpec(Input):
    project_id: ProjectId
    title: Label
    summary: Annotated[Text, Meta(description="What this slice is and why it is wanted; Markdown.")] = ""
    results: Annotated[Lines, Meta(description="What is there when it is done.")] = []
    conditions: Annotated[Lines, Meta(description="What must hold on the way.")] = []
    boundaries: Annotated[Lines, Meta(description="What is not part of it.")] = []
    goal_id: Annotated[Ident, Meta(description="The goal it serves.")] | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: CreateSpec) -> SpecResult:
    project = find_project(call, args.project_id)
    check_rules({"conditions": args.conditions, "boundaries": args.boundaries})
    spec = Spec(
        id=new_id(),
        project_id=project.id,
        goal_id=find_goal(call, args.goal_id, project).id if args.goal_id else None,
        title=args.title,
        summary=args.summary,
        results=to_json(args.results),
        conditions=to_json(args.conditions),
        boundaries=to_json(args.boundaries),
        active_plan_id=None,
        build_id=None,
        build_number=0,
        revision=1,
        created_by=call.actor.user_id,
        created_at=call.now,
        updated_at=call.now,
        ref_number=text_refs.allocate_number(call.tx, TextKind.SPEC, project.id),
    )
    specs.add(call.tx, spec)
    participants.add(call.tx, spec.id, call.actor.user_id, call.actor.user_id)
    edits.save_first_revision(call, spec.id, revision_content.spec_content(spec))
    search_index.index_spec(call, spec)
    call.record(Event("spec.created", spec.id, project.id, spec.id, data=TitledData(title=spec.title)))
    return spec_result(call, spec)


OPERATION = Operation(
    name="create_spec",
    title="Create a spec",
    description=(
        "Write down one reviewable slice of a project: what it is, the results, the conditions, the boundaries. You "
        "become its first participant. Next: create_plan, then create_action with its acceptance criteria, then "
        "publish_build. Refused: 404 no such project or goal."
    ),
    input=CreateSpec,
    output=SpecResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
