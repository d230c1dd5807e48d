"""The rows of a staged file, as the tables take them here."""

import re
from typing import Any

from pendesk.domain import limits
from pendesk.domain.action import ActionState
from pendesk.domain.edge import predecessor_and_successor
from pendesk.domain.errors import Conflict
from pendesk.operations.exchange.imported_assignees import ImportedAssignees
from pendesk.operations.exchange.people_map import PeopleMap
from pendesk.operations.exchange.staged_reader import StagedImportReader
from pendesk.operations.operation import Call
from pendesk.store import imported
from pendesk.store.engine.json_text import to_json
from pendesk.store.portable import rows
from pendesk.store.portable.tables import BY_NAME, PEOPLE, Table

_PROJECTS = BY_NAME["projects"]
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def check_all_ids_unused(call: Call, staging: StagedImportReader) -> None:
    for table, batch in staging.row_batches():
        _check_ids_unused(call, table, batch)


def insert_project_row(call: Call, row: dict[str, Any], people: PeopleMap) -> None:
    rows.add(call.tx, _PROJECTS, _with_local_user_ids(_PROJECTS, row, people))


def insert_all_but_project_row(
    call: Call, staging: StagedImportReader, people: PeopleMap, assigned: ImportedAssignees
) -> None:
    project_id = staging.project["id"]
    parents: dict[str, str] = {}
    numbers = iter(range(1, limits.IMPORT_ROWS + 1))
    for table, batch in staging.row_batches():
        if table is _PROJECTS:
            continue
        _check_ids_unused(call, table, batch)
        for row in batch:
            # A parent may stand after its child.
            if table.name == "documents" and row["parent_id"] is not None:
                parents[row["id"]] = row["parent_id"]
                row["parent_id"] = None
            if table.name == "imported_events":
                row["number"] = next(numbers)
            rows.add(
                call.tx,
                table,
                {
                    **_with_local_user_ids(table, row, people),
                    **_values_of_unexported_columns(call, table, row, project_id),
                    **(assigned.columns(row) if table.name == "actions" else {}),
                },
            )
        call.tx.let_others_write()
    for child, parent in parents.items():
        imported.set_parent(call.tx, child, parent)
        call.tx.let_others_write()


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
    if table.name in ("claims", "comments", "pull_requests", "review_items"):
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
