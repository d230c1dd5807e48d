"""import_project: a staged file becomes a project, all of it or nothing.

Where others wait for all that is written (SQLite), it is saved in parts, and `unfinished_imports` knows of it. Nobody
sees them before the last part: it brings the project's own row, without which nothing of a project is there, and all
that is said of it elsewhere. It is short, and decides anew what may have changed meanwhile. What is left of an import
that fails or ends with its process is deleted (delete_unfinished_imports).
"""

from typing import Annotated, Any, NamedTuple

from msgspec import Meta

from pendesk.domain import limits
from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import Conflict
from pendesk.domain.event import Event
from pendesk.domain.event_data import ImportData
from pendesk.domain.fold import build_state_recorded_events
from pendesk.domain.project import parse_new_project_key, propose_project_key
from pendesk.operations.actions.change_state import change_state
from pendesk.operations.actions.find import find_and_lock_action
from pendesk.operations.admission import check_still_admitted
from pendesk.operations.attachments.receipts import verify_receipt
from pendesk.operations.exchange.imported_assignees import ImportedAssignees, match_assignees
from pendesk.operations.exchange.index_imported import index_project_for_search
from pendesk.operations.exchange.insert_imported import (
    check_all_ids_unused,
    insert_all_but_project_row,
    insert_project_row,
)
from pendesk.operations.exchange.people_map import PeopleMap, add_people_without_account, map_people_to_local_users
from pendesk.operations.exchange.staged_reader import StagedImportReader
from pendesk.operations.fields import Name
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import participants, projects, states, tallies, text_refs, unfinished_imports
from pendesk.store.engine.tx import Row
from pendesk.store.unfinished_imports import UnfinishedImport

PURPOSE = "import"
NAMES_SHOWN = 50


class ImportProject(Input):
    receipt: Annotated[str, Meta(max_length=400, description="What staging the file gave.")]
    dry_run: Annotated[bool, Meta(description="Show what would be created; create nothing.")] = False
    key: (
        Annotated[str, Meta(max_length=limits.ID_CHARS, description="Another key than the file's, e.g. PEN.")] | None
    ) = None
    name: Annotated[Name, Meta(description="Another name than the file's.")] | None = None
    take_part: Annotated[bool, Meta(description="Become a participant of every spec of it.")] = False


class ProjectImported(Output):
    pid: str
    key: str
    name: str
    source: str
    dry_run: bool
    counts: dict[str, int]
    names_only: list[str] = []
    warnings: list[str] = []


class ReadImport(NamedTuple):
    """What an import needs to know before it writes."""

    staging: StagedImportReader
    project_row: dict[str, Any]
    people: PeopleMap
    assigned: ImportedAssignees


class Summary(NamedTuple):
    """What is said of all actions at once. It takes long, so it is read before the last step."""

    counts: list[Row]
    state_event_rows: list[dict[str, Any]]


def run(call: Call, args: ImportProject) -> ProjectImported:
    return import_staged_project(call, verify_receipt(call, args.receipt, PURPOSE).key, args)


def import_staged_project(call: Call, storage_key: str, args: ImportProject) -> ProjectImported:
    with call.installation.files.hold(storage_key):
        read = call.tx.while_others_write(lambda: _read_and_check(call, storage_key, args))
        project = read.project_row if args.dry_run else _import(call, storage_key, args, read)
    staging = read.staging
    return ProjectImported(
        pid=project["id"],
        key=project["key"],
        name=project["name"],
        source=staging.about["source"],
        dry_run=args.dry_run,
        counts=dict(staging.counts),
        names_only=read.people.names_without_account()[:NAMES_SHOWN],
        warnings=staging.warnings + read.assigned.warnings(),
    )


def _read_and_check(call: Call, storage_key: str, args: ImportProject) -> ReadImport:
    staging = StagedImportReader(call, storage_key)
    project_row = _project_row_with_new_name_and_key(call, args, staging)
    if args.dry_run:
        check_all_ids_unused(call, staging)
    people = map_people_to_local_users(call, staging.people)
    return ReadImport(staging, project_row, people, match_assignees(call, staging.named_assignees))


def _import(call: Call, storage_key: str, args: ImportProject, read: ReadImport) -> dict[str, Any]:
    """The project's row comes first where references are checked, else last."""
    staging, project = read.staging, read.project_row
    if call.tx.saves_in_parts:
        unfinished = _note_as_unfinished(call, project["id"], storage_key)
    else:
        _add_project_and_people(call, project, read.people)
    insert_all_but_project_row(call, staging, read.people, read.assigned)
    text_refs.number_imported(call.tx, project["id"])
    index_project_for_search(call, project["id"])
    if args.take_part:
        participants.add_to_all_specs(call.tx, project["id"], call.actor.user_id)
    summary = call.tx.while_others_write(lambda: _sum_up(call, project["id"]))
    if call.tx.saves_in_parts:
        project = _check_anew(call, args, staging, unfinished)
        _add_project_and_people(call, project, read.people)
    _record(call, staging, project, summary)
    if staging.counts.total() >= limits.ANALYZED_IMPORT_ROWS:
        call.tx.update_statistics_after_commit(staging.tables() | {"search_texts", "action_tallies"})
    return project


def _note_as_unfinished(call: Call, project_id: str, storage_key: str) -> UnfinishedImport:
    while earlier := unfinished_imports.of_project(call.tx, project_id):
        if call.installation.files.is_held(earlier.storage_key):
            raise Conflict(
                "This project is being imported right now. Look for it when that is done; import the file as a copy "
                "(--as-copy, as_copy=true) to have it twice, with new ids.",
                code="import_under_way",
            )
        unfinished_imports.delete_saved_rows(call.tx, earlier)
    unfinished_imports.add(call.tx, project_id, storage_key)
    return UnfinishedImport(call.tx.workspace, project_id, storage_key)


def _check_anew(
    call: Call, args: ImportProject, staging: StagedImportReader, unfinished: UnfinishedImport
) -> dict[str, Any]:
    """In the last part: whether the caller may still do this, and which name and key the project gets by now."""
    if call.actor.credential.kind != "user":
        check_still_admitted(call, OPERATION)
    if not unfinished_imports.remove(call.tx, unfinished):
        raise Conflict("This import was given up, and what it had saved is deleted. Import the file again.")
    return _project_row_with_new_name_and_key(call, args, staging)


def _add_project_and_people(call: Call, project_row: dict[str, Any], people: PeopleMap) -> None:
    add_people_without_account(call, people.without_account)
    insert_project_row(call, project_row, people)


def _sum_up(call: Call, project_id: str) -> Summary:
    event_rows: list[dict[str, Any]] = []
    for actions in states.iter_project_action_states(call.tx, project_id):
        events = build_state_recorded_events(project_id, actions, len(event_rows))
        event_rows += [call.encode_event(event) for event in events]
    return Summary(tallies.count_all(call.tx, project_id), event_rows)


def _record(call: Call, staging: StagedImportReader, project: dict[str, Any], summary: Summary) -> None:
    tallies.add_counts(call.tx, project["id"], summary.counts)
    data = ImportData(key=project["key"], name=project["name"], counts=dict(staging.counts), **staging.about)
    call.record(Event("project.imported", project["id"], project["id"], data=data))
    for event_row in summary.state_event_rows:
        call.record_encoded(event_row)
    for action_id, state in staging.states_under_way:
        change_state(call, find_and_lock_action(call, action_id), state, None, 0)


def _project_row_with_new_name_and_key(call: Call, args: ImportProject, staging: StagedImportReader) -> dict[str, Any]:
    """The project's own row, under the name and key that it will have here."""
    project = dict(staging.project)
    existing = projects.by_id(call.tx, project["id"])
    if existing is not None:
        raise Conflict(
            f"This project is here already: {existing.key}, {existing.name}. Import it as a copy (--as-copy, "
            "as_copy=true) to have it twice, with new ids.",
            code="already_here",
        )
    existing_keys = projects.keys(call.tx)
    is_copy = staging.about.get("copy", False)
    if args.key is not None:
        project["key"] = parse_new_project_key(args.key, existing_keys)
    elif project["key"] in existing_keys and (is_copy or staging.about["source"] != "pendesk"):
        project["key"] = propose_project_key(project["key"], existing_keys)
    elif project["key"] in existing_keys:
        raise Conflict(
            f"The key {project['key']} belongs to another project here. Give this one another (--key, key=).",
            code="key_taken",
        )
    if args.name is not None:
        project["name"] = args.name
    elif is_copy:
        project["name"] = f"{project['name'][: limits.NAME_CHARS - 7]} (copy)"
    return project


OPERATION = Operation(
    name="import_project",
    title="Import a project",
    description=(
        "Create a project from a staged file: an export of Pendesk, or another program's tasks. All of it or nothing; "
        "dry_run shows what would be created. For admins: no token can do this. Refused: 409 the project or its key "
        "is here already."
    ),
    input=ImportProject,
    output=ProjectImported,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.LONG_WRITE,
    run=run,
)
