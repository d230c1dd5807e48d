"""get_context: where the caller stands. Who they are, what they hold, what is open there, what comes next.

For a session's start and for tools around agents: one small read. Agents at work have the building tools.
"""

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ref_code, status_for_agents, status_of_task
from pendesk.domain.agent_session import Relation
from pendesk.domain.availability import Availability
from pendesk.domain.claim import expiry_iso
from pendesk.domain.clarification import QuestionState
from pendesk.domain.limits import LABEL_LISTED_CHARS, SUMMARY_LISTED_CHARS
from pendesk.domain.next_task import OpenTask
from pendesk.domain.project import Project
from pendesk.domain.review import RequestedChange
from pendesk.operations.actions.next_task_choice import load_task_choices
from pendesk.operations.availability import RelatedAction
from pendesk.operations.building.nothing_free import nothing_free_notice
from pendesk.operations.building.open_work import (
    CLAIMABLE,
    OpenWork,
    free_other_actions_by_project_key,
    load_open_work,
    load_other_actions,
)
from pendesk.operations.building.you import You, describe_caller, held_by_user
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, to_iso_or_none
from pendesk.operations.projects.find import find_project
from pendesk.store import actions, clarifications, people, projects, reviews, specs, tokens

HELD_SHOWN = 10
QUESTIONS_SHOWN = 5
NOT_RECORDED = RequestedChange("A reviewer", "")  # in a project that was imported without its reviews


class GetContext(Input):
    project_id: ProjectId | None = None


class ProjectName(Output):
    pid: str
    key: str
    name: str
    state: str


class HeldAction(Output):
    pid: str
    ref_code: str
    label: str
    status: str
    expires_at: str | None
    open_questions: list[str]


class NextAction(Output):
    pid: str
    ref_code: str
    label: str
    spec: str


class NextTaskRow(Output):
    pid: str
    ref_code: str
    label: str
    status: str


class FreeCounts(Output):
    in_specs: int
    outside_specs: int


class RequestedRework(Output):
    pid: str
    ref_code: str
    label: str
    requested_by: str
    request: str


class Context(Output):
    """projects: those with work for the caller. may_hold: what this or another terminal of theirs holds, where nothing
    tells them apart. changes_requested: what to claim before anything new. next: the first that is free. next_task:
    what get_next_task gives in the project, for a caller with the planning tools. free: how many can be claimed, in
    the project or in all. notice: why there is nothing to do.
    """

    user_id: str
    user_name: str
    workspace: str
    role: str
    scopes: list[str]
    expires_at: str | None
    project: ProjectName | None
    projects: list[ProjectName]
    you: You
    held: list[HeldAction]
    next: NextAction | None
    free: FreeCounts
    may_hold: list[HeldAction] = []
    changes_requested: list[RequestedRework] = []
    next_task: NextTaskRow | None = None
    notice: str | None = None


def run(call: Call, args: GetContext) -> Context:
    project = find_project(call, args.project_id) if args.project_id is not None else None
    may_build = Scope.SPECS_READ in call.actor.scopes
    work = load_open_work(call) if may_build else OpenWork({})
    others = load_other_actions(call) if may_build else []
    claimable = _claimable([*work.actions, *others], project)
    task, why_no_task = _next_task(call, project)
    held_anywhere = held_by_user(call)
    held = _of_project(held_anywhere, project)[:HELD_SHOWN]
    workspace = people.workspace_of_transaction(call.tx)
    token = tokens.by_id(call.tx, call.actor.token_id) if call.actor.token_id else None
    return Context(
        user_id=call.actor.user_id,
        user_name=call.actor.user_name,
        workspace=workspace.name if workspace else "",
        role=call.actor.role.label,
        scopes=[scope for scope in Scope if scope in call.actor.scopes],
        expires_at=to_iso_or_none(token.expires_at) if token else None,
        project=_project_name_result(project) if project else None,
        projects=_projects_of_work(call, [*work.actions, *others]),
        you=describe_caller(call, held_anywhere),
        held=_held_actions(call, [action for action in held if action.relation == Relation.SAME]),
        may_hold=_held_actions(call, [action for action in held if action.relation == Relation.UNKNOWN]),
        changes_requested=_requested_rework(call, claimable),
        next=_next_action(call, claimable),
        next_task=task,
        free=_free_counts(call, work, others, project),
        notice=None if claimable or task else nothing_free_notice(call, work) if may_build else why_no_task,
    )


def _project_name_result(project: Project) -> ProjectName:
    return ProjectName(pid=project.id, key=project.key, name=project.name, state=project.state)


def _projects_of_work(call: Call, open_actions: list[RelatedAction]) -> list[ProjectName]:
    workable = (Availability.MINE, *CLAIMABLE)
    keys = {action.standing.project_key for action in open_actions if action.availability in workable}
    rows = [projects.by_key(call.tx, key) for key in sorted(keys)]
    return sorted((_project_name_result(project) for project in rows if project is not None), key=lambda row: row.pid)


def _of_project(related: list[RelatedAction], project: Project | None) -> list[RelatedAction]:
    return [action for action in related if project is None or action.standing.project_key == project.key]


def _claimable(open_actions: list[RelatedAction], project: Project | None) -> list[RelatedAction]:
    """In the order to take them; what takes no spec comes after what does."""
    in_project = _of_project(open_actions, project)
    return sorted((action for action in in_project if action.availability in CLAIMABLE), key=lambda row: row.order)


def _free_counts(call: Call, work: OpenWork, others: list[RelatedAction], project: Project | None) -> FreeCounts:
    in_specs = [action for action in _of_project(work.actions, project) if action.availability == Availability.FREE]
    outside = free_other_actions_by_project_key(call, others)
    return FreeCounts(in_specs=len(in_specs), outside_specs=outside[project.key] if project else outside.total())


def _held_actions(call: Call, related: list[RelatedAction]) -> list[HeldAction]:
    texts = actions.labels_and_areas_by_id(call.tx, [action.standing.id for action in related])
    return [_held_action(call, action, texts[action.standing.id][0]) for action in related]


def _held_action(call: Call, action: RelatedAction, label: str) -> HeldAction:
    rows = clarifications.of_action(call.tx, action.standing.id)
    unanswered = [row.question for row in rows if row.state == QuestionState.OPEN]
    return HeldAction(
        pid=action.standing.id,
        ref_code=action.standing.ref,
        label=label[:LABEL_LISTED_CHARS],
        status=status_for_agents(action.standing.state),
        expires_at=expiry_iso(action.standing.expires_at),
        open_questions=[question[:SUMMARY_LISTED_CHARS] for question in unanswered[:QUESTIONS_SHOWN]],
    )


def _requested_rework(call: Call, claimable: list[RelatedAction]) -> list[RequestedRework]:
    rework = [row for row in claimable if row.availability == Availability.CHANGES_REQUESTED][:HELD_SHOWN]
    ids = [action.standing.id for action in rework]
    requests, texts = reviews.newest_request_by_action_id(call.tx, ids), actions.labels_and_areas_by_id(call.tx, ids)
    return [
        _rework(action, texts[action.standing.id][0], requests.get(action.standing.id, NOT_RECORDED))
        for action in rework
    ]


def _rework(action: RelatedAction, label: str, request: RequestedChange) -> RequestedRework:
    return RequestedRework(
        pid=action.standing.id,
        ref_code=action.standing.ref,
        label=label[:LABEL_LISTED_CHARS],
        requested_by=request.reviewer,
        request=request.text[:SUMMARY_LISTED_CHARS],
    )


def _next_action(call: Call, claimable: list[RelatedAction]) -> NextAction | None:
    action = next((row.standing for row in claimable if row.availability == Availability.FREE), None)
    if action is None:
        return None
    label = actions.labels_and_areas_by_id(call.tx, [action.id])[action.id][0]
    spec = specs.by_id(call.tx, action.spec_id) if action.spec_id else None
    return NextAction(
        pid=action.id,
        ref_code=action.ref,
        label=label[:LABEL_LISTED_CHARS],
        spec=spec.title[:LABEL_LISTED_CHARS] if spec else "",
    )


def _next_task(call: Call, project: Project | None) -> tuple[NextTaskRow | None, str | None]:
    """The task, or why there is none. Of all projects together none comes next."""
    if project is None or Scope.DESK_READ not in call.actor.scopes:
        return None, None
    choices = load_task_choices(call, project)
    if choices.own_task_id is not None:
        return _next_task_row(project, choices.graph.tasks[choices.own_task_id]), None
    choice = choices.choose()
    return (_next_task_row(project, choice.task), None) if choice else (None, choices.why_none(call)[1])


def _next_task_row(project: Project, task: OpenTask) -> NextTaskRow:
    return NextTaskRow(
        pid=task.id,
        ref_code=ref_code(project.key, task.ref_number),
        label=task.label[:LABEL_LISTED_CHARS],
        status=status_of_task(task.state),
    )


OPERATION = Operation(
    name="get_context",
    title="Where the caller stands",
    description=(
        "Who the caller is, the actions they hold with their open questions, requested changes, and the next action "
        "they could claim, in one project or in all; with the planning tools also the next task of the project. For "
        "the start of a session. Any token may call it. Changes nothing. Refused: 404 no such project."
    ),
    input=GetContext,
    output=Context,
    scope=Scope.ANY,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
