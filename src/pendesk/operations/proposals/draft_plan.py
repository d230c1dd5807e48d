"""draft_plan: propose how a spec is to be done. Every fault of it is reported at once, as by the scaffold."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from pendesk.domain import limits
from pendesk.domain.access import Role, Scope
from pendesk.domain.plan_errors import invalid_plan_error
from pendesk.domain.project import Plan, Project, Spec
from pendesk.domain.proposal import Proposal
from pendesk.domain.proposed_plan import (
    ActionDraft,
    find_draft_faults,
    find_faults_without_context,
    plan_items,
)
from pendesk.operations.actions.create_action import Area
from pendesk.operations.fields import IdempotencyKey, Label, Line, Markdown, PathGlobs, SpecId, TaskId, Text
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.operations.proposals.draft_spec import DraftId
from pendesk.operations.proposals.drafting_task import find_drafting_task
from pendesk.operations.proposals.plan_context import load_plan_context
from pendesk.operations.proposals.results import DraftSaved, draft_saved
from pendesk.operations.proposals.save_proposal import DraftTarget, find_replaced_proposal, save_proposal
from pendesk.operations.specs.find import find_spec
from pendesk.store import plans, proposals

Key = Annotated[str, Meta(min_length=1, max_length=limits.SCAFFOLD_KEY_CHARS)]


class ActionOfDraft(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    key: Annotated[Key, Meta(description="Your short name for it; the ref code of an action in the plan changes that.")]
    label: Annotated[Label, Meta(description="One line.")] | None = None
    description: Markdown | None = None
    area: Area | None = None
    criteria: (
        Annotated[
            list[Line],
            Meta(max_length=limits.PROPOSAL_CRITERIA, description="All of them, each one checkable sentence."),
        ]
        | None
    ) = None
    prerequisites: Annotated[
        list[Key],
        Meta(max_length=limits.PROPOSAL_PREREQUISITES, description="Keys or ref codes of what must be done first."),
    ] = []
    paths: Annotated[PathGlobs, Meta(description="Globs of files it touches.")] | None = None


class DraftPlan(Input):
    spec_id: SpecId
    approach: Annotated[Text, Meta(description="How to do it; Markdown.")] | None = None
    actions: Annotated[
        list[ActionOfDraft], Meta(max_length=limits.PROPOSAL_ACTIONS, description="New ones, and those that change.")
    ] = []
    task_id: Annotated[TaskId, Meta(description="The task that asked for it.")] | None = None
    draft_id: DraftId | None = None
    idempotency_key: IdempotencyKey | None = None

    @classmethod
    def field_problem_pairs_beyond_types(cls, decoded: Any) -> list[tuple[str, str]]:
        """What else is wrong with a draft that has broken parts; those parts themselves are passed over."""
        actions = decoded.get("actions") if isinstance(decoded, dict) else None
        if not isinstance(actions, list):
            return []
        drafts = [_loose_action_draft(action) for action in actions[: limits.PROPOSAL_ACTIONS]]
        return [(fault.field, fault.problem) for fault in find_faults_without_context(drafts)]


def run(call: Call, args: DraftPlan) -> DraftSaved:
    previous = find_replaced_proposal(call, "plan", args.draft_id)
    spec = find_spec(call, args.spec_id)
    project = find_and_lock_project(call, spec.project_id)
    plan = plans.by_id(call.tx, spec.active_plan_id) if spec.active_plan_id else None
    drafts = [_action_draft(action) for action in args.actions]
    context = load_plan_context(call, project, plan.id if plan else None, drafts)
    faults = find_draft_faults(drafts, context)
    if faults:
        raise invalid_plan_error(faults)
    items = plan_items(plan.approach if plan else "", args.approach, drafts, context)
    target = _target(call, args, spec, plan, project, previous)
    return draft_saved(call, save_proposal(call, target, items, previous))


def _target(
    call: Call, args: DraftPlan, spec: Spec, plan: Plan | None, project: Project, previous: Proposal | None
) -> DraftTarget:
    task = find_drafting_task(call, "plan", project.id, args.task_id)
    known_task_id = previous.action_id if previous else None
    return DraftTarget(
        "plan",
        spec.title,
        project.id,
        spec_id=spec.id,
        plan_id=plan.id if plan else None,
        base_revision=plan.revision if plan else 0,
        action_id=task.id if task else known_task_id or proposals.open_request_id_of_spec(call.tx, spec.id),
    )


def _action_draft(action: ActionOfDraft) -> ActionDraft:
    return ActionDraft(
        action.key,
        action.label,
        action.description,
        action.area,
        action.criteria,
        tuple(action.prerequisites),
        action.paths,
    )


def _loose_action_draft(action: Any) -> ActionDraft:
    """Of an action that may be broken: what of it can be read. A label or criteria of a wrong type are reported as
    such, and count as given.
    """
    if not isinstance(action, dict):
        return ActionDraft(None)
    key, criteria, prerequisites = action.get("key"), action.get("criteria"), action.get("prerequisites")
    return ActionDraft(
        key if isinstance(key, str) else None,
        label="" if "label" in action else None,
        criteria=criteria if isinstance(criteria, list) else [""] if "criteria" in action else None,
        prerequisites=tuple(name for name in prerequisites if isinstance(name, str))
        if isinstance(prerequisites, list)
        else (),
    )


OPERATION = Operation(
    name="draft_plan",
    title="Draft a plan",
    description=(
        "Propose a plan for a spec, or a change to its active one: small actions, each with criteria. A person accepts "
        "all, some or none of it. Next: give your user the url. Refused: 422 with every fault in faults[{field, "
        "problem}]: fix all, send again."
    ),
    input=DraftPlan,
    output=DraftSaved,
    scope=Scope.SPECS_WRITE,
    role=Role.MEMBER,
    kind=Kind.LONG_WRITE,  # it compares long texts
    run=run,
)
