"""suggest_actions: while somebody types which action they mean, those that it may be."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import CLOSED, Action, ref_code
from pendesk.domain.limits import ORDER_WALK_EDGES, QUERY_CHARS, SEARCH_ROWS, SEARCH_WORDS, SUGGESTED_ACTIONS
from pendesk.domain.project import Project
from pendesk.domain.search import split_into_search_words, to_search_index_text
from pendesk.ids import parse_ref_code_key_and_number
from pendesk.operations.actions.find import find_task_of_project
from pendesk.operations.fields import ActionId, ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.projects.find import find_project
from pendesk.store import actions, edges
from pendesk.store import search as texts


class SuggestActions(Input):
    project_id: ProjectId
    query: Annotated[
        str,
        Meta(max_length=QUERY_CHARS, description="A ref code, its number, or words of the title; the last may begin."),
    ] = ""
    action_id: (
        Annotated[ActionId, Meta(description="Only what this action may still depend on; its own plan's first.")] | None
    ) = None


class ActionSuggestion(Output):
    pid: str
    ref_code: str
    label: str
    state: str


class ActionSuggestions(Output):
    actions: list[ActionSuggestion]


def run(call: Call, args: SuggestActions) -> ActionSuggestions:
    project = find_project(call, args.project_id)
    dependent = find_task_of_project(call, project, args.action_id, "action_id") if args.action_id else None
    words = split_into_search_words(args.query)[:SEARCH_WORDS]
    impossible = _ids_it_cannot_depend_on(call, dependent) if dependent else set()
    candidates = {
        action.id: action
        for action in _candidates(call, project, dependent, args.query, words)
        if action.id not in impossible
    }
    # What is closed holds nothing back any more, so it comes last.
    ordered = sorted(candidates.values(), key=lambda action: action.state in CLOSED)
    return ActionSuggestions(
        actions=[
            ActionSuggestion(
                pid=action.id, ref_code=ref_code(project.key, action.ref_number), label=action.label, state=action.state
            )
            for action in ordered[:SUGGESTED_ACTIONS]
        ]
    )


def _ids_it_cannot_depend_on(call: Call, action: Action) -> set[str]:
    """Itself, what waits for it, and what it depends on already."""
    before = {row[0] for row in edges.prerequisites(call.tx, action.id)}
    return {action.id} | before | edges.ids_behind(call.tx, {action.id}, ORDER_WALK_EDGES)


def _candidates(call: Call, project: Project, dependent: Action | None, query: str, words: list[str]) -> list[Action]:
    near = actions.of_plan(call.tx, dependent.plan_id) if dependent and dependent.plan_id else []
    near += actions.newest_of_project(call.tx, project.id, SEARCH_ROWS)
    if not words:
        return near
    named = _named_by_ref(call, project, query)
    matching = [action for action in near if _has_words(action.label, words)]
    rows, _ = texts.find(call.tx, words, texts.Within(project.id, "action"), SEARCH_ROWS)
    return named + matching + actions.by_ids(call.tx, [row[0] for row in rows])


def _named_by_ref(call: Call, project: Project, query: str) -> list[Action]:
    text = query.strip()
    ref = f"{project.key}-{text}" if text.isdecimal() else text
    if parse_ref_code_key_and_number(ref) is None:
        return []
    action_id = actions.resolve_id(call.tx, ref)
    named = actions.by_ids(call.tx, [action_id]) if action_id else []
    return [action for action in named if action.project_id == project.id]


def _has_words(label: str, words: list[str]) -> bool:
    """As the search has it: the last may be the beginning of a word."""
    text = f" {to_search_index_text(label)} "
    return all(f" {word} " in text for word in words[:-1]) and f" {words[-1]}" in text


OPERATION = Operation(
    name="suggest_actions",
    title="Suggest actions",
    description=(
        "The actions of a project that somebody may mean who has typed this much: by ref code, number or words; "
        "without any the newest. With action_id only what it may depend on, without closing a circle. Refused: 404 no "
        "such project or action."
    ),
    input=SuggestActions,
    output=ActionSuggestions,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.LONG_READ,
    run=run,
)
