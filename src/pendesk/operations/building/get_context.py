"""get_context: where the caller stands. Who they are, what they hold, what is open there, what comes next.

For a session's start and for tools around agents: one small read. Agents at work have the building tools.
"""

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ActionState, status_for_agents
from pendesk.domain.claim import ActionFacts
from pendesk.domain.clarification import QuestionState
from pendesk.domain.limits import LABEL_LISTED_CHARS, SUMMARY_LISTED_CHARS
from pendesk.domain.project import Project, Spec
from pendesk.operations.building.claim_guard import with_relation_to_caller
from pendesk.operations.building.list_available_specs import available_specs_with_project_keys
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, to_iso_or_none
from pendesk.operations.projects.find import find_project
from pendesk.store import actions, claims, clarifications, people, prerequisites, projects, specs, tokens

SPECS_SEEN = 50
ACTIONS_SEEN = 50
HELD_SHOWN = 10
QUESTIONS_SHOWN = 5


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
    expires_at: str
    open_questions: list[str]


class NextAction(Output):
    pid: str
    ref_code: str
    label: str
    spec: str


class Context(Output):
    """projects: those with work for the caller. next: the first action that can be claimed now."""

    user_id: str
    user_name: str
    workspace: str
    role: str
    scopes: list[str]
    expires_at: str | None
    project: ProjectName | None
    projects: list[ProjectName]
    held: list[HeldAction]
    next: NextAction | None


def run(call: Call, args: GetContext) -> Context:
    project = find_project(call, args.project_id) if args.project_id is not None else None
    available = available_specs_with_project_keys(call, "", SPECS_SEEN)
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
        projects=_projects_of_specs(call, available),
        held=_actions_held_by_caller(call, project),
        next=_find_next_action(
            call, [spec for spec, _key in available if project is None or spec.project_id == project.id]
        ),
    )


def _project_name_result(project: Project) -> ProjectName:
    return ProjectName(pid=project.id, key=project.key, name=project.name, state=project.state)


def _projects_of_specs(call: Call, specs_with_project_keys: list[tuple[Spec, str]]) -> list[ProjectName]:
    rows = [
        projects.by_id(call.tx, ident) for ident in sorted({spec.project_id for spec, _key in specs_with_project_keys})
    ]
    return [_project_name_result(project) for project in rows if project is not None]


def _actions_held_by_caller(call: Call, project: Project | None) -> list[HeldAction]:
    """Not what another session of the same user holds: the caller would take it for its own."""
    held = [actions.facts(call.tx, ident) for ident in claims.action_ids_held_by(call.tx, call.actor.user_id)]
    in_project = [facts for facts in held if facts and (project is None or facts.action.project_id == project.id)]
    related = [with_relation_to_caller(call, facts) for facts in in_project]
    return [_to_held_action(call, facts) for facts in related if facts.is_callers][:HELD_SHOWN]


def _to_held_action(call: Call, facts: ActionFacts) -> HeldAction:
    assert facts.claim is not None
    rows = clarifications.of_action(call.tx, facts.action.id)
    unanswered = [row.question for row in rows if row.state == QuestionState.OPEN]
    return HeldAction(
        pid=facts.action.id,
        ref_code=facts.ref,
        label=facts.action.label[:LABEL_LISTED_CHARS],
        status=status_for_agents(facts.action.state),
        expires_at=to_iso_or_none(facts.claim.expires_at) or "",
        open_questions=[question[:SUMMARY_LISTED_CHARS] for question in unanswered[:QUESTIONS_SHOWN]],
    )


def _find_next_action(call: Call, available_specs: list[Spec]) -> NextAction | None:
    for spec in available_specs:
        assert spec.build_id is not None
        for pid, _number, _snapshot, state, holder, _position in specs.action_rows_of_build_with_holder(
            call.tx, spec.build_id, 0, ACTIONS_SEEN
        ):
            free = state in (ActionState.TODO, ActionState.IN_PROGRESS) and holder is None
            if free and not prerequisites.unresolved_of(call.tx, pid):
                return _next_action_result(call, spec, pid)
    return None


def _next_action_result(call: Call, spec: Spec, action_id: str) -> NextAction | None:
    facts = actions.facts(call.tx, action_id)
    if facts is None:
        return None
    label = facts.action.label[:LABEL_LISTED_CHARS]
    return NextAction(pid=action_id, ref_code=facts.ref, label=label, spec=spec.title[:LABEL_LISTED_CHARS])


OPERATION = Operation(
    name="get_context",
    title="Where the caller stands",
    description=(
        "Who the caller is, the actions they hold with their open questions, and the next action they could claim; in "
        "one project or in all. For the start of a session. Changes nothing. Refused: 404 no such project."
    ),
    input=GetContext,
    output=Context,
    scope=Scope.SPECS_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
