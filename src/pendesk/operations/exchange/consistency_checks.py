"""What the rows of a file must be together: each once, no reference into nothing, no cycle."""

from typing import Any

from pendesk.domain.action import ActionState
from pendesk.domain.due_date import is_day
from pendesk.domain.edge import abbreviate_cycle_for_message, find_any_cycle, predecessor_and_successor
from pendesk.domain.errors import BadField, RuleBroken
from pendesk.domain.limits import IMPORT_EVENT_CHARS, IMPORT_PEOPLE
from pendesk.operations.exchange.jsonl import line_error
from pendesk.store.portable.tables import BY_NAME, PEOPLE, Table

_PLACES = {name: place for place, name in enumerate(BY_NAME)}


class ConsistencyChecks:
    def __init__(self) -> None:
        self._ids: dict[str, set[str]] = {PEOPLE: set()}
        self._seen: set[int] = set()
        # References to rows that come later in the file: line, field, table, id.
        self._later: list[tuple[int, str, str, str]] = []
        self._refs: dict[str, int] = {}
        self._fences: dict[str, int] = {}
        self._builds: dict[str, int] = {}
        self._after: dict[str, list[str]] = {}
        self._parents: dict[str, str] = {}
        self._project: dict[str, Any] | None = None
        self._place = 0

    def check_and_add_person(self, line_number: int, person_id: str) -> None:
        self._check_and_add_unique_key(line_number, "person.id", (PEOPLE, person_id))
        if len(self._ids[PEOPLE]) == IMPORT_PEOPLE:
            raise line_error(line_number, "person", f"is one too many: {IMPORT_PEOPLE} people is the limit.")
        self._ids[PEOPLE].add(person_id)

    def check_row(self, line_number: int, table: Table, row: dict[str, Any]) -> None:
        self._check_single_project(line_number, table, row)
        self._check_table_order(line_number, table)
        for unique in (() if table.name == "imported_events" else table.keys, *table.unique):
            if unique and row[unique[-1]] is not None:
                key = (table.name, unique, *(row[name] for name in unique))
                self._check_and_add_unique_key(line_number, f"{table.row_kind}.{unique[-1]}", key)
        for name, column in table.columns.items():
            if column.references and row[name] is not None:
                self._check_or_defer_reference(line_number, f"{table.row_kind}.{name}", column.references, row[name])
        if "id" in row:
            self._ids.setdefault(table.name, set()).add(row["id"])
        check = getattr(self, f"_check_{table.name}", None)
        if check is not None:
            check(line_number, row)

    def check_references_and_cycles_at_end(self) -> None:
        if self._project is None:
            raise BadField("project", "is missing: the file has no project.")
        for number, field, table, ident in self._later:
            if ident not in self._ids.get(table, ()):
                raise _missing_reference_error(number, field, ident)
        self._check_no_cycles()

    def _check_single_project(self, line_number: int, table: Table, row: dict[str, Any]) -> None:
        if table.name == "projects":
            if self._project is not None:
                raise line_error(line_number, "project", "is the second one; a file holds one project.")
            self._project = row
        elif self._project is None:
            raise line_error(line_number, table.row_kind, "comes before the project.")

    def _check_table_order(self, line_number: int, table: Table) -> None:
        """What a row refers to is saved before it."""
        place = _PLACES[table.name]
        if place < self._place:
            raise line_error(
                line_number, table.row_kind, "comes too late; the kinds of rows have the order of an export."
            )
        self._place = place

    def _check_and_add_unique_key(self, line_number: int, field: str, key: tuple[Any, ...]) -> None:
        mark = hash(key)
        if mark in self._seen:
            raise line_error(line_number, field, f"is in this file twice: {str(key[-1])[:64]!r}.")
        self._seen.add(mark)

    def _check_or_defer_reference(
        self, line_number: int, field: str, referenced_table: str, referenced_id: str
    ) -> None:
        if referenced_id in self._ids.get(referenced_table, ()):
            return
        if referenced_table == PEOPLE:
            raise _missing_reference_error(line_number, field, referenced_id)
        self._later.append((line_number, field, referenced_table, referenced_id))

    # What would let a later claim, build or ref code meet one that is there already.

    def _check_actions(self, line_number: int, row: dict[str, Any]) -> None:
        if row["due_on"] is not None and not is_day(row["due_on"]):
            raise line_error(line_number, "action.due_on", f"{row['due_on']!r} is not a day.")
        assert self._project is not None
        if row["ref_number"] > self._project["last_ref"]:
            raise line_error(line_number, "action.ref_number", "is beyond the project's last_ref.")
        if row["drop_accepted_at"] is not None and row["state"] != ActionState.WONT_DO:
            raise line_error(line_number, "action.drop_accepted_at", "is set, but the action is not wont_do.")
        self._refs[row["id"]] = row["ref_number"]
        self._fences[row["id"]] = row["fence"]

    def _check_claims(self, line_number: int, row: dict[str, Any]) -> None:
        if row["fence"] > self._fences.get(row["action_id"], 0):
            raise line_error(line_number, "claim.fence", "is beyond that of its action.")

    def _check_specs(self, line_number: int, row: dict[str, Any]) -> None:
        self._builds[row["id"]] = row["build_number"]

    def _check_builds(self, line_number: int, row: dict[str, Any]) -> None:
        if row["number"] > self._builds.get(row["spec_id"], 0):
            raise line_error(line_number, "build.number", "is beyond that of its spec.")

    def _check_edges(self, line_number: int, row: dict[str, Any]) -> None:
        if row["from_action_id"] == row["to_action_id"]:
            raise line_error(line_number, "edge.to_action_id", "is where it begins; an edge connects two actions.")
        first, after = predecessor_and_successor(row["label"], row["from_action_id"], row["to_action_id"])
        if first is not None and after is not None:
            self._after.setdefault(first, []).append(after)

    def _check_documents(self, line_number: int, row: dict[str, Any]) -> None:
        if row["parent_id"] is not None:
            self._parents[row["id"]] = row["parent_id"]

    def _check_comments(self, line_number: int, row: dict[str, Any]) -> None:
        if sum(row[f"{kind}_id"] is not None for kind in ("document", "action", "spec")) != 1:
            raise line_error(line_number, "comment.document_id", "or action_id or spec_id: name one of the three.")

    def _check_imported_events(self, line_number: int, row: dict[str, Any]) -> None:
        if len(row["data"]) > IMPORT_EVENT_CHARS:
            raise line_error(
                line_number, "event.data", f"is longer than {IMPORT_EVENT_CHARS} characters; a page shows many."
            )

    def _check_no_cycles(self) -> None:
        assert self._project is not None
        loop = find_any_cycle(self._after)
        if loop:
            key = self._project["key"]
            refs = [f"{key}-{self._refs[ident]}" for ident in loop]
            raise _cycle_error("edges", refs)
        loop = find_any_cycle({child: [parent] for child, parent in self._parents.items()})
        if loop:
            raise _cycle_error("documents", loop)


def _cycle_error(noun: str, cycle: list[str]) -> RuleBroken:
    short_path = abbreviate_cycle_for_message(cycle)
    return RuleBroken(
        f"The {noun} of the file form a cycle: {' -> '.join(short_path)}. Remove one of them in the file.",
        code="cycle",
        cycle=short_path,
    )


def _missing_reference_error(line_number: int, field: str, missing_id: str) -> BadField:
    return line_error(line_number, field, f"names {missing_id}, which is not in this file.")
