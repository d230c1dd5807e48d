"""The staged file of an import, as import_project reads it."""

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from pendesk.domain.action import ActionState
from pendesk.domain.errors import BadField
from pendesk.operations.exchange.imported_assignees import NamedAssignee
from pendesk.operations.exchange.jsonl import Person
from pendesk.operations.operation import Call
from pendesk.store.portable import rows
from pendesk.store.portable.tables import BY_WORD, Table

_decode = msgspec.json.Decoder(tuple[str, Any]).decode


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

    def tables(self) -> set[str]:
        return {BY_WORD[word].name for word in self.counts if word in BY_WORD}

    def row_batches(self) -> Iterator[tuple[Table, list[dict[str, Any]]]]:
        """Rows of one table that stand together, a few at a time."""
        batch: list[dict[str, Any]] = []
        previous: Table | None = None
        for table, row in self._rows():
            if previous is not None and (table is not previous or len(batch) == rows.ROWS_PER_STEP):
                yield previous, batch
                batch = []
            previous = table
            batch.append(row)
        if previous is not None:
            yield previous, batch

    def _rows(self) -> Iterator[tuple[Table, dict[str, Any]]]:
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
