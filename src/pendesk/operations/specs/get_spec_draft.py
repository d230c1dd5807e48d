"""get_spec_draft: a spec as people edit it now, which may be ahead of what is published."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import CLOSED, Action
from pendesk.domain.errors import NotFound
from pendesk.domain.evidence import evidence_state
from pendesk.domain.prerequisite import undecided_note
from pendesk.domain.project import Attachment, Plan, Project, Spec
from pendesk.operations.actions.action_fields import assignee_results
from pendesk.operations.actions.history import ClaimState, to_claim_state
from pendesk.operations.actions.results import PlannedAction, to_planned_action
from pendesk.operations.fields import PlanId, SpecId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.plans.results import PlanResult, plan_result
from pendesk.operations.projects.find import find_project
from pendesk.operations.projects.results import ProjectResult, project_result
from pendesk.operations.specs.add_participant import Participant, load_participants
from pendesk.operations.specs.build_changes import builds_differ
from pendesk.operations.specs.build_snapshot import take_snapshot
from pendesk.operations.specs.find import find_spec
from pendesk.operations.specs.results import SpecResult, spec_result
from pendesk.store import actions, agent_sessions, attachments, builds, criteria, drafts, participants, plans, projects


class GetSpecDraft(Input):
    spec_id: SpecId
    plan_id: Annotated[PlanId, Meta(description="Whose actions to show; the active plan's unless given.")] | None = None


class AttachmentRow(Output):
    pid: str
    name: str
    media_type: str
    size_bytes: int


class FirstRow(Output):
    """What must be done before; edgeId is what remove_edge takes. note: of what is dropped, that a person decides."""

    edge_id: str
    pid: str
    ref_code: str
    label: str
    state: str
    note: str | None = None


class DraftAction(PlannedAction, kw_only=True):
    """claim: only while it is in someone's hands."""

    prerequisites: list[FirstRow]
    open_questions: int
    claim: ClaimState | None = None


class GoalName(Output):
    pid: str
    title: str


class SpecDraft(SpecResult):
    """shown_plan_id: the plan that `actions` are of. unpublished: agents read something else than what stands here.
    everyone_takes_part: every member but viewers does, whoever is listed in `participants`.
    """

    project_key: str
    project: ProjectResult
    goals: list[GoalName]
    build_id: str | None
    unpublished: bool
    plans: list[PlanResult]
    shown_plan_id: str | None
    actions: list[DraftAction]
    everyone_takes_part: bool
    participants: list[Participant]
    attachments: list[AttachmentRow]


def run(call: Call, args: GetSpecDraft) -> SpecDraft:
    spec = find_spec(call, args.spec_id)
    project = find_project(call, spec.project_id)
    result = spec_result(call, spec)
    spec_plans = plans.of_spec(call.tx, spec.id)
    plan_id = _plan_id_to_show(spec, spec_plans, args.plan_id)
    return SpecDraft(
        **{name: getattr(result, name) for name in result.__struct_fields__},
        project_key=project.key,
        project=project_result(project),
        goals=[GoalName(pid=goal.id, title=goal.title) for goal in projects.goals_of(call.tx, project.id)],
        build_id=spec.build_id,
        unpublished=_has_unpublished_changes(call, spec, spec_plans),
        plans=[plan_result(plan, spec) for plan in spec_plans],
        shown_plan_id=plan_id,
        actions=_load_draft_actions(call, project, plan_id) if plan_id else [],
        everyone_takes_part=participants.does_everyone_take_part(call.tx),
        participants=load_participants(call, spec.id).participants,
        attachments=[_attachment_row(item) for item in attachments.of_spec(call.tx, spec.id)],
    )


def _has_unpublished_changes(call: Call, spec: Spec, spec_plans: list[Plan]) -> bool:
    current = builds.by_id(call.tx, spec.build_id) if spec.build_id else None
    plan = next((plan for plan in spec_plans if plan.id == spec.active_plan_id), None)
    if current is None or plan is None:
        return True
    frozen = take_snapshot(call, spec, plan)
    return builds_differ((current, builds.actions(call.tx, current.id)), (frozen.build, frozen.actions))


def _plan_id_to_show(spec: Spec, spec_plans: list[Plan], requested_plan_id: str | None) -> str | None:
    if requested_plan_id is None:
        return spec.active_plan_id
    if requested_plan_id.lower() not in {plan.id for plan in spec_plans}:
        raise NotFound("plan of this spec", requested_plan_id)
    return requested_plan_id.lower()


def _load_draft_actions(call: Call, project: Project, plan_id: str) -> list[DraftAction]:
    criteria_of = criteria.criteria_of_plan_by_action_id(call.tx, plan_id)
    claims = drafts.claim_and_holder_name_by_action_id(call.tx, plan_id)
    agents = agent_sessions.labels_by_id(call.tx, (claim.session_id for claim, _holder in claims.values()))
    questions = drafts.open_question_count_by_action(call.tx, plan_id)
    before = drafts.prerequisites_by_action(call.tx, plan_id)
    histories = criteria.evidence_histories(call.tx, list(criteria_of))
    states = {history.criterion_id: evidence_state(history) for history in histories}

    planned_actions = actions.of_plan(call.tx, plan_id)
    assigned = assignee_results(call, [action.assignee for action in planned_actions], with_pid=True)

    def drafted(action: Action) -> DraftAction:
        result = to_planned_action(call, action, project.key, criteria_of.get(action.id, []), assigned)
        for criterion in result.criteria:
            criterion.evidence_state = states[criterion.id]
        claim = claims.get(action.id)
        return DraftAction(
            **{name: getattr(result, name) for name in result.__struct_fields__},
            prerequisites=[_prerequisite_row(action, prerequisite) for prerequisite in before.get(action.id, [])],
            open_questions=questions.get(action.id, 0),
            claim=to_claim_state(call, *claim, agents.get(claim[0].session_id or "")) if claim else None,
        )

    return [drafted(action) for action in planned_actions]


def _prerequisite_row(action: Action, prerequisite: drafts.Prerequisite) -> FirstRow:
    return FirstRow(
        edge_id=prerequisite.edge_id,
        pid=prerequisite.action_id,
        ref_code=prerequisite.ref,
        label=prerequisite.label,
        state=prerequisite.state,
        note=None if action.state in CLOSED else undecided_note(prerequisite.state, prerequisite.drop_accepted_at),
    )


def _attachment_row(attachment: Attachment) -> AttachmentRow:
    return AttachmentRow(
        pid=attachment.id, name=attachment.name, media_type=attachment.media_type, size_bytes=attachment.size_bytes
    )


OPERATION = Operation(
    name="get_spec_draft",
    title="Read a spec's draft",
    description=(
        "A spec as it is being written: texts, goal, plans, the actions of the active plan (or of plan_id) with their "
        "criteria, prerequisites and holders, participants, attachments, and the build that is published. get_spec "
        "shows what agents see instead. Refused: 404 no such spec or plan."
    ),
    input=GetSpecDraft,
    output=SpecDraft,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.LONG_READ,
    run=run,
)
