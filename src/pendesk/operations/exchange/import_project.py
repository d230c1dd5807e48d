"""import_project: a staged file becomes a project, all of it or nothing."""

import os
import re
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from pendesk.domain import limits
from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ActionState
from pendesk.domain.edge import predecessor_and_successor
from pendesk.domain.errors import BadField, Conflict
from pendesk.domain.event import Event
from pendesk.domain.event_data import ImportData
from pendesk.domain.fold import build_state_recorded_events
from pendesk.domain.project import parse_new_project_key, propose_project_key
from pendesk.operations.actions.change_state import change_state
from pendesk.operations.actions.find import find_and_lock_action
from pendesk.operations.attachments.receipts import verify_receipt
from pendesk.operations.exchange import index_imported
from pendesk.operations.exchange.imported_assignees import ImportedAssignees, NamedAssignee, match_assignees
from pendesk.operations.exchange.jsonl import Person
from pendesk.operations.exchange.people_map import PeopleMap, map_people_to_local_users
from pendesk.operations.fields import Name
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import imported, participants, projects, states, tallies
from pendesk.store.engine.json_text import to_json
from pendesk.store.portable import rows
from pendesk.store.portable.tables import BY_WORD, PEOPLE, Table

PURPOSE = "import"
NAMES_SHOWN = 50
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_decode = msgspec.json.Decoder(tuple[str, Any]).decode


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


class StagedImportReader:
    """The staged file, once more from its beginning with every walk."""

    def __init__(self, call: Call, storage_key: str) -> None:
        self._files = call.installation.files
        self._key = storage_key
        self.people: list[Person] = []
        self.named_assignees: list[NamedAssignee] = []
        self.states_under_way: list[tuple[str, ActionState]] = []
        self.warnings: list[str] = []
        self.project: dict[str, Any] = {}
        self.about: dict[str, Any] = {}
        self.counts: Counter[str] = Counter()
        for word, value in self._decoded_kinds_and_values():
            self._add_to_summary(word, value)

    def rows(self) -> Iterator[tuple[Table, dict[str, Any]]]:
        return ((BY_WORD[word], value) for word, value in self._decoded_kinds_and_values() if word in BY_WORD)

    def _decoded_kinds_and_values(self) -> Iterator[tuple[str, Any]]:
        handle = self._files.open_fd(self._key)
        if handle is None:
            raise BadField("receipt", "names a file that is gone. Send the file again.")
        with os.fdopen(handle, "rb") as file:
            yield from map(_decode, file)

    def _add_to_summary(self, row_kind: str, value: Any) -> None:
        if row_kind == "import":
            self.about = value
            return
        if row_kind == "warning":
            self.warnings.append(value)
            return
        if row_kind == "assignee":
            self.named_assignees.append(NamedAssignee(**value))
            return
        if row_kind == "under_way":
            self.states_under_way.append((value["action_id"], ActionState(value["state"])))
            return
        self.counts[row_kind] += 1
        if row_kind == "person":
            self.people.append(msgspec.convert(value, Person))
        elif row_kind == "project":
            self.project = value


def run(call: Call, args: ImportProject) -> ProjectImported:
    return import_staged_project(call, verify_receipt(call, args.receipt, PURPOSE).key, args)


def import_staged_project(call: Call, storage_key: str, args: ImportProject) -> ProjectImported:
    staging = StagedImportReader(call, storage_key)
    project = _project_row_with_new_name_and_key(call, args, staging)
    people = map_people_to_local_users(call, staging.people, create_missing=not args.dry_run)
    assigned = match_assignees(call, staging.named_assignees)
    if args.dry_run:
        for table, batch in _iter_row_batches_by_table(staging):
            _check_ids_unused(call, table, batch)
    else:
        _insert_imported_rows(call, staging, project, people, assigned)
        if args.take_part:
            participants.add_to_all_specs(call.tx, project["id"], call.actor.user_id)
        data = ImportData(key=project["key"], name=project["name"], counts=dict(staging.counts), **staging.about)
        call.record(Event("project.imported", project["id"], project["id"], data=data))
        for action_id, state in staging.states_under_way:
            change_state(call, find_and_lock_action(call, action_id), state, None, 0)
        for event in build_state_recorded_events(
            project["id"], states.project_action_states_from_tables(call.tx, project["id"])
        ):
            call.record(event)
        if staging.counts.total() >= limits.ANALYZED_IMPORT_ROWS:
            call.tx.update_statistics_after_commit(_tables_written(staging))
    return ProjectImported(
        pid=project["id"],
        key=project["key"],
        name=project["name"],
        source=staging.about["source"],
        dry_run=args.dry_run,
        counts=dict(staging.counts),
        names_only=sorted(people.without_account)[:NAMES_SHOWN],
        warnings=staging.warnings + assigned.warnings(),
    )


def _tables_written(staging: StagedImportReader) -> set[str]:
    return {BY_WORD[word].name for word in staging.counts if word in BY_WORD} | {"search_texts", "action_tallies"}


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


def _iter_row_batches_by_table(staging: StagedImportReader) -> Iterator[tuple[Table, list[dict[str, Any]]]]:
    """Rows of one table that stand together, a few at a time."""
    batch: list[dict[str, Any]] = []
    previous: Table | None = None
    for table, row in staging.rows():
        if previous is not None and (table is not previous or len(batch) == rows.ROWS_PER_STEP):
            yield previous, batch
            batch = []
        previous = table
        batch.append(row)
    if previous is not None:
        yield previous, batch


def _check_ids_unused(call: Call, table: Table, batch: list[dict[str, Any]]) -> None:
    # It is also where PostgreSQL is waited for: what was sent before is known to be good then.
    if "id" not in table.columns:
        return
    existing_id = rows.any_existing_id(call.tx, table, to_json([row["id"] for row in batch]))
    if existing_id is not None:
        raise Conflict(
            f"The {table.row_kind} {existing_id} is here already, in another project. Import the file as a copy "
            "(--as-copy, as_copy=true) to give everything in it new ids.",
            code="already_here",
        )


def _insert_imported_rows(
    call: Call,
    staging: StagedImportReader,
    project_row: dict[str, Any],
    people: PeopleMap,
    assigned: ImportedAssignees,
) -> None:
    parents: dict[str, str] = {}
    numbers = iter(range(1, limits.IMPORT_ROWS + 1))
    for table, batch in _iter_row_batches_by_table(staging):
        _check_ids_unused(call, table, batch)
        for row in batch:
            # A parent may stand after its child.
            if table.name == "documents" and row["parent_id"] is not None:
                parents[row["id"]] = row["parent_id"]
                row["parent_id"] = None
            if table.name == "imported_events":
                row["number"] = next(numbers)
            values = {**project_row} if table.name == "projects" else row
            rows.add(
                call.tx,
                table,
                {
                    **_with_local_user_ids(table, values, people),
                    **_values_of_unexported_columns(call, table, values, project_row["id"]),
                    **(assigned.columns(values) if table.name == "actions" else {}),
                },
            )
    for child, parent in parents.items():
        imported.set_parent(call.tx, child, parent)
    tallies.count_imported(call.tx, project_row["id"])
    index_imported.index_project_for_search(call, project_row["id"])


def _with_local_user_ids(table: Table, row: dict[str, Any], people: PeopleMap) -> dict[str, Any]:
    """The row with those in it who are somebody else here, also within its JSON."""
    if not people.local_id_by_id:
        return row
    mapped = dict(row)
    for name, column in table.columns.items():
        value = row[name]
        if column.references == PEOPLE and value is not None:
            mapped[name] = people.local_id_by_id.get(value, value)
        elif column.shape is not None and value is not None:
            mapped[name] = _UUID.sub(lambda match: people.local_id_by_id.get(match[0], match[0]), value)
    return mapped


def _values_of_unexported_columns(call: Call, table: Table, row: dict[str, Any], project_id: str) -> dict[str, Any]:
    """The columns that no export carries."""
    values: dict[str, Any] = {"project_id": project_id}
    if table.name in ("claims", "pull_requests", "review_items"):
        values |= dict.fromkeys(table.filled_in)
    if table.name == "actions":
        values["news_event_id"] = 0
        if row["state"] == ActionState.IN_REVIEW and row["state_reason"] == "changes_requested":
            # A file from before that was a state of its own.
            values |= {"state": ActionState.CHANGES_REQUESTED.value, "state_reason": None}
    elif table.name == "claims":
        values |= {"told_event_id": 0, "kind": "lease"}
    elif table.name == "edges":
        first, after = predecessor_and_successor(row["label"], row["from_action_id"], row["to_action_id"])
        values |= {"before_id": first, "after_id": after}
    elif table.name == "shares":
        values |= {"hash": f"imported {call.tx.workspace} {row['id']}", "revoked_at": call.now}
        values["owner_id"] = call.actor.user_id
    elif table.name == "attachments":
        values["storage_key"] = row["storage_key"] or ""
    return values


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
