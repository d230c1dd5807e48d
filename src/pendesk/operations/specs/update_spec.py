"""update_spec: the living text of a spec. What is published stays as it is until the next build."""

from typing import Annotated, Any

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.project import Spec, check_spec_list_lengths
from pendesk.domain.scope_rules import FIELDS, check_rules
from pendesk.operations.fields import ExpectedRevision, IdempotencyKey, IdentOrNone, Label, Lines, SpecId, Text
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects import search_index
from pendesk.operations.projects.find import find_goal, find_project
from pendesk.operations.revisions import edits, revision_content
from pendesk.operations.specs.find import find_and_lock_spec
from pendesk.operations.specs.results import SpecResult, spec_result
from pendesk.store import specs
from pendesk.store.engine.json_text import to_json

LISTS = ("results", "conditions", "boundaries")


class UpdateSpec(Input):
    spec_id: SpecId
    title: Label | None = None
    summary: Text | None = None
    results: Annotated[Lines, Meta(description="The whole new list.")] | None = None
    conditions: Annotated[Lines, Meta(description="The whole new list.")] | None = None
    boundaries: Annotated[Lines, Meta(description="The whole new list.")] | None = None
    goal_id: Annotated[IdentOrNone, Meta(description="The goal it serves; empty for none.")] | None = None
    expected_revision: ExpectedRevision | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: UpdateSpec) -> SpecResult:
    spec = find_and_lock_spec(call, args.spec_id)
    goal_id = args.goal_id
    if goal_id:
        goal_id = find_goal(call, goal_id, find_project(call, spec.project_id)).id
    changes = {
        "title": args.title,
        "summary": args.summary,
        "results": args.results,
        "conditions": args.conditions,
        "boundaries": args.boundaries,
        "goalId": goal_id,
    }
    return spec_result(call, edit_spec(call, spec, changes, args.expected_revision))


def edit_spec(call: Call, spec: Spec, changes: dict[str, Any], expected_revision: int | None = None) -> Spec:
    """Change the fields that are not None; the spec must be locked."""
    before = revision_content.spec_content(spec)
    edit = edits.apply_edit_and_add_revision(call, spec.id, spec.revision, before, changes, expected_revision)
    if not edit.changed:
        return spec
    check_spec_list_lengths({part: edit.content[part] for part in LISTS})
    check_rules(edit.content, saved=[text for field in FIELDS for text in before[field]])
    spec = spec._replace(
        title=edit.content["title"],
        summary=edit.content["summary"],
        results=to_json(edit.content["results"]),
        conditions=to_json(edit.content["conditions"]),
        boundaries=to_json(edit.content["boundaries"]),
        goal_id=edit.content["goalId"] or None,
        revision=edit.revision,
        updated_at=call.now,
    )
    specs.update(call.tx, spec)
    search_index.index_spec(call, spec)
    call.record(Event("spec.edited", spec.id, spec.project_id, spec.id, data=edit.event_data))
    return spec


OPERATION = Operation(
    name="update_spec",
    title="Edit a spec",
    description=(
        "Change a spec's texts; leave out what stays. Every revision is kept. Agents see the change after the next "
        "publish_build. Refused: 404 no such spec, 409 someone changed it since expected_revision (the answer has "
        "their text: merge, then send again)."
    ),
    input=UpdateSpec,
    output=SpecResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
