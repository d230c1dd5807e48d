"""search: find specs, actions, documents and notes by the words in them."""

from typing import Annotated, Literal

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ActionState
from pendesk.domain.assignee import ME
from pendesk.domain.errors import BadField
from pendesk.domain.limits import QUERY_CHARS, SEARCH_ROWS, SEARCH_ROWS_FOR_AGENT
from pendesk.domain.search import excerpt_around_first_term, query_words
from pendesk.domain.text_ref import TextKind
from pendesk.operations.agent_answers import is_agent_call
from pendesk.operations.availability import OptionalAvailability, availability_fields, related_actions
from pendesk.operations.fields import Ident, ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.paging import page_within_token_limit
from pendesk.operations.projects.find import find_project
from pendesk.operations.specs.results import build_name_or_none
from pendesk.store import people, specs, text_refs
from pendesk.store import search as texts
from pendesk.store.engine.tx import Row

OLDER = "The best of the newest matches. Add a word, or name a project or a kind, to find older ones."
ONLY_ACTIONS = "Only actions have a state: leave out the state or the kind."


class Search(Input):
    query: Annotated[
        str, Meta(max_length=QUERY_CHARS, description="Words that must all occur; the last may be a beginning.")
    ]
    project_id: Annotated[ProjectId, Meta(description="Only in this project.")] | None = None
    kind: Annotated[Literal["action", "spec", "document", "note"], Meta(description="Only these.")] | None = None
    status: Annotated[ActionState, Meta(description="Of actions.")] | None = None
    user_pid: Annotated[Ident, Meta(description="Whose: a pid or me.")] | None = None


class Found(OptionalAvailability, kw_only=True):
    """An agent gets one id of it: the ref code of an action, the pid of anything else. build: of a published spec."""

    kind: str
    project_key: str
    title: str
    excerpt: str
    pid: str | None = None
    project_id: str | None = None
    ref_code: str | None = None
    project_name: str | None = None
    state: str | None = None
    build: str | None = None


class SearchResults(Output):
    """note: where not everything was looked at."""

    results: list[Found]
    note: str | None = None


def run(call: Call, args: Search) -> SearchResults:
    words = query_words(args.query)
    if args.status is not None and args.kind not in (None, "action"):
        return SearchResults(results=[], note=ONLY_ACTIONS)
    within = texts.Within(
        project_id=find_project(call, args.project_id).id if args.project_id is not None else "",
        kind="action" if args.status is not None else args.kind or "",
        state=args.status or "",
        user_id=_user_id(call, args.user_pid) if args.user_pid is not None else "",
    )
    limit = SEARCH_ROWS_FOR_AGENT if is_agent_call(call) else SEARCH_ROWS
    rows, has_older = texts.find(call.tx, words, within, limit)
    matches = _to_matches(call, rows, words)
    if is_agent_call(call):
        matches, _ = page_within_token_limit(call, matches, _shorten_for_agent, lambda match: match.title)
    return SearchResults(results=matches, note=OLDER if has_older else None)


def _user_id(call: Call, user_pid: str) -> str:
    if user_pid == ME:
        return call.actor.user_id
    if not people.is_or_was_member(call.tx, user_pid):
        raise BadField("user_pid", "names nobody who is or was a member of this workspace.")
    return user_pid


def _to_matches(call: Call, rows: list[Row], words: list[str]) -> list[Found]:
    related = related_actions(call, [row[0] for row in rows if row[1] == "action"])
    fields = availability_fields(call, related.values())
    builds = {
        spec.id: spec.build_number for spec in specs.by_ids(call.tx, [row[0] for row in rows if row[1] == "spec"])
    }
    refs = {ident: action.standing.ref for ident, action in related.items()} | _text_refs(call, rows)
    projects = {project_id: find_project(call, project_id) for project_id in {row[2] for row in rows}}
    return [
        Found(
            pid=pid,
            kind=kind,
            project_id=project_id,
            project_key=projects[project_id].key,
            project_name=projects[project_id].name,
            title=title,
            excerpt=excerpt_around_first_term(body, words),
            ref_code=refs.get(pid),
            state=related[pid].standing.state if pid in related else None,
            build=build_name_or_none(builds.get(pid, 0)),
            **fields.get(pid, {}),
        )
        for pid, kind, project_id, title, body in rows
    ]


def _text_refs(call: Call, rows: list[Row]) -> dict[str, str]:
    """For people: an agent reads texts by their pids."""
    if is_agent_call(call):
        return {}
    refs: dict[str, str] = {}
    for kind in TextKind:
        refs |= text_refs.ref_code_by_id(call.tx, kind, [row[0] for row in rows if row[1] == kind])
    return refs


def _shorten_for_agent(match: Found) -> Found:
    """get_task has the rest of how an action stands."""
    return Found(
        kind=match.kind,
        project_key=match.project_key,
        title=match.title,
        excerpt=match.excerpt,
        pid=None if match.ref_code else match.pid,
        ref_code=match.ref_code,
        availability=match.availability,
        not_ready_reason=match.not_ready_reason,
    )


OPERATION = Operation(
    name="search",
    title="Search",
    description=(
        "Find tasks (actions), specs, documents and notes by the words in them, best first. Read one with get_task, "
        "get_document or get_note."
    ),
    input=Search,
    output=SearchResults,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.LONG_READ,
    run=run,
)
