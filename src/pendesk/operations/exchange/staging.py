"""Before an import touches the database: the whole file is read and checked, and its attachments are put on the disk.

What comes out is a second file in the attachment folder, which import_project reads in its transaction: rows whose
every field, reference and order is known to be good. So the transaction is short, and a bad file never begins one.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, NamedTuple

import msgspec

from pendesk.domain.limits import IMPORT_WARNINGS
from pendesk.domain.project import ReceivedFile
from pendesk.domain.web_address import is_plain_address
from pendesk.operations.exchange import jsonl
from pendesk.operations.exchange.consistency_checks import ConsistencyChecks
from pendesk.operations.exchange.imported_text import HiddenCharacterRemover, clean_text
from pendesk.operations.exchange.jsonl_reader import JsonlReader
from pendesk.operations.exchange.new_ids import create_id_replacer, leave_ids_unchanged
from pendesk.operations.operation import encode_json
from pendesk.store.files import Files, Upload
from pendesk.store.portable.tables import BY_WORD, Table

NO_LIMIT_BYTES = 2**60
Progress = Callable[[int], None]


class StagedImport(NamedTuple):
    """The file for import_project, and the files of the attachments that it names."""

    received: ReceivedFile
    keys: list[str]


class StagedImportWriter:
    """The file that import_project reads, being written: one [word, value] a line."""

    def __init__(self, upload: Upload) -> None:
        self._upload = upload
        self._warnings = 0
        self._remover = HiddenCharacterRemover()
        self.keys: list[str] = []
        self.staged: StagedImport | None = None

    def write(self, row_kind: str, value: Any) -> None:
        self._upload.write(encode_json([row_kind, value]) + b"\n")

    def write_row(self, line_number: int, row_kind: str, row: dict[str, Any]) -> None:
        """A row of a table, without what nobody would see in it."""
        for name in self._remover.clean_row(BY_WORD[row_kind], row):
            self.write_warning(f"line {line_number}: {row_kind}.{name} had hidden characters, which were removed.")
        self.write(row_kind, row)

    def write_warning(self, text: str) -> None:
        self._warnings += 1
        if self._warnings <= IMPORT_WARNINGS:
            self.write("warning", text)
        elif self._warnings == IMPORT_WARNINGS + 1:
            self.write("warning", "There are more warnings; they are left out here.")


@contextmanager
def create_staged_import(files: Files) -> Iterator[StagedImportWriter]:
    """`staged` is there at the end; where something fails, nothing stays on the disk."""
    with files.start_upload(NO_LIMIT_BYTES) as upload:
        stage = StagedImportWriter(upload)
        try:
            yield stage
            stage.staged = StagedImport(upload.save(), stage.keys)
        except BaseException:
            remove_files(files, stage.keys)
            raise


def remove_files(files: Files, keys: list[str]) -> None:
    for key in keys:
        files.remove(key)


def stage_import_from_export(
    files: Files,
    source: BinaryIO,
    *,
    as_copy: bool,
    keep_attachments: bool,
    max_attachment_bytes: int,
    progress: Progress = lambda _: None,
) -> StagedImport:
    """An export of our own. Without `keep_attachments` the attachments are checked and not kept."""
    with create_staged_import(files) as stage:
        feed = JsonlReader(source, create_id_replacer(source) if as_copy else leave_ids_unchanged, progress)
        checks = ConsistencyChecks()
        for number, word, value in feed:
            if word == "person":
                checks.check_and_add_person(number, value.id)
                stage.write(word, msgspec.structs.replace(value, name=clean_text(value.name)))
            else:
                checks.check_row(number, BY_WORD[word], value)
                _drop_addresses_that_mislead(stage, number, BY_WORD[word], value)
            if word == "attachment":
                with files.start_upload(max_attachment_bytes) as upload:
                    value["storage_key"] = _store_attachment_and_return_key(
                        stage, feed, upload, number, value, keep_attachments
                    )
            if word != "person":
                stage.write_row(number, word, value)
        checks.check_references_and_cycles_at_end()
        stage.write("import", {"source": jsonl.FORMAT, "copy": as_copy, "sha256": feed.sha256_of_bytes_read})
    assert stage.staged is not None
    return stage.staged


def _drop_addresses_that_mislead(
    stage: StagedImportWriter, line_number: int, table: Table, row: dict[str, Any]
) -> None:
    """A page links to them. Nobody can send such an address here, but older versions took them, and a file may."""
    for name, column in table.columns.items():
        if column.is_address and row[name] is not None and not is_plain_address(row[name]):
            row[name] = None if column.nullable else ""
            stage.write_warning(
                f"line {line_number}: {table.row_kind}.{name} is not a plain address, and was left out."
            )


def _store_attachment_and_return_key(
    stage: StagedImportWriter,
    reader: JsonlReader,
    upload: Upload,
    line_number: int,
    row: dict[str, Any],
    keep_attachment: bool,
) -> str | None:
    """The key of its file; None where it has none."""
    chunks = 0
    for chunk in reader.attachment_chunks():
        upload.write(chunk)
        chunks += 1
    if row["removed_at"] is not None or (chunks == 0 and row["size_bytes"] > 0):
        if row["removed_at"] is None:
            stage.write_warning(f"line {line_number}: the bytes of the attachment {row['name']!r} are not in the file.")
        return None
    if (upload.size_bytes, upload.sha256) != (row["size_bytes"], row["sha256"]):
        raise jsonl.line_error(
            line_number, "attachment.sha256", "does not fit the bytes that follow: they were changed. Export again."
        )
    if not keep_attachment:
        return None
    stage.keys.append(upload.save().key)
    return stage.keys[-1]
