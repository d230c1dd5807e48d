"""search: find specs, actions, documents and notes by the words in them."""

from typing import Annotated, Literal

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import QUERY_CHARS, SEARCH_ROWS, SEARCH_ROWS_FOR_AGENT
from pendesk.domain.search import excerpt_around_first_term, query_words
from pendesk.operations.agent_answers import is_agent_call
from pendesk.operations.availability import OptionalAvailability, availability_fields_of
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.paging import page_within_token_limit
from pendesk.operations.projects.find import find_project
from pendesk.store import actions
from pendesk.store import search as texts

OLDER = "The best of the newest matches. Add a word, or name a project or a kind, to find older ones."


class Search(Input):
    query: Annotated[
        str, Meta(max_length=QUERY_CHARS, description="Words that must all occur; the last may be a beginning.")
    ]
    project_id: Annotated[ProjectId, Meta(description="Only in this project.")] | None = None
    kind: Annotated[Literal["action", "spec", "document", "note"], Meta(description="Only these.")] | None = None


class Found(OptionalAvailability, kw_only=True):
    """An agent gets one id of it: the ref code of an action, the pid of anything else."""

    kind: str
    project_key: str
    title: str
    excerpt: str
    pid: str | None = None
    project_id: str | None = None
    ref_code: str | None = None


class SearchResults(Output):
    """note: where not everything was looked at."""

    results: list[Found]
    note: str | None = None


def run(call: Call, args: Search) -> SearchResults:
    words = query_words(args.query)
    project_id = find_project(call, args.project_id).id if args.project_id is not None else ""
    limit = SEARCH_ROWS_FOR_AGENT if is_agent_call(call) else SEARCH_ROWS
    rows, has_older = texts.find(call.tx, words, project_id, args.kind or "", limit)
    action_ids = [row[0] for row in rows if row[1] == "action"]
    refs = actions.ref_code_by_id(call.tx, action_ids)
    fields = availability_fields_of(call, action_ids)
    keys = {project_id: find_project(call, project_id).key for project_id in {row[2] for row in rows}}
    matches = [
        Found(
            pid=pid,
            kind=kind,
            project_id=row_project,
            project_key=keys[row_project],
            title=title,
            excerpt=excerpt_around_first_term(body, words),
            ref_code=refs.get(pid),
            **fields.get(pid, {}),
        )
        for pid, kind, row_project, title, body in rows
    ]
    if is_agent_call(call):
        matches, _ = page_within_token_limit(call, matches, _shorten_for_agent, lambda match: match.title)
    return SearchResults(results=matches, note=OLDER if has_older else None)


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
        "Find tasks (actions), specs, documents and notes by the words in them, best match first. Read one with "
        "get_task, get_document or get_note."
    ),
    input=Search,
    output=SearchResults,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.LONG_READ,
    run=run,
)
