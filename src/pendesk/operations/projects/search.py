"""search: find specs, actions, documents and notes by the words in them."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import QUERY_CHARS, SEARCH_ROWS
from pendesk.domain.search import excerpt_around_first_term, query_words
from pendesk.operations.availability import OptionalAvailability, availability_fields_of
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.projects.find import find_project
from pendesk.store import actions


class Search(Input):
    query: Annotated[
        str, Meta(max_length=QUERY_CHARS, description="Words that must all occur; the last may be a beginning.")
    ]
    project_id: Annotated[ProjectId, Meta(description="Only in this project: its pid or key.")] | None = None


class Found(OptionalAvailability, kw_only=True):
    pid: str
    kind: str
    project_id: str
    project_key: str
    title: str
    excerpt: str
    ref_code: str | None = None


class SearchResults(Output):
    results: list[Found]


def run(call: Call, args: Search) -> SearchResults:
    words = query_words(args.query)
    project_id = find_project(call, args.project_id).id if args.project_id is not None else None
    rows = call.tx.full_text_search(words, project_id, SEARCH_ROWS)
    action_ids = [row[0] for row in rows if row[1] == "action"]
    refs = actions.ref_code_by_id(call.tx, action_ids)
    fields = availability_fields_of(call, action_ids)
    keys = {project_id: find_project(call, project_id).key for project_id in {row[2] for row in rows}}
    return SearchResults(
        results=[
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
    )


OPERATION = Operation(
    name="search",
    title="Search",
    description=(
        "Find specs, actions, documents and notes by the words in them, best match first; capitals and accents do not "
        "matter. Then read one with get_spec_draft, get_action, get_document or get_note. Refused: 422 no word to "
        "search for, 404 no such project."
    ),
    input=Search,
    output=SearchResults,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.LONG_READ,
    run=run,
)
