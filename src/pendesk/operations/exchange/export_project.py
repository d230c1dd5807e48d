"""export_project: the whole project as one file, from one moment."""

import os
from collections import Counter
from collections.abc import Iterator

from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import FILE_CHUNK_BYTES, IMPORT_CHUNK_BYTES
from pendesk.domain.project import Project
from pendesk.operations.attachments.receipts import make_signed_file_receipt
from pendesk.operations.exchange import jsonl
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.projects.find import find_project
from pendesk.store import imported
from pendesk.store.engine.tx import Row, Tx
from pendesk.store.files import Files
from pendesk.store.portable.rows import iter_rows, user_ids_in
from pendesk.store.portable.tables import BY_NAME, HISTORY, LOG, TABLES

PURPOSE = "export"
NO_LIMIT_BYTES = 2**60


class ExportProject(Input):
    project_id: ProjectId


class ProjectExported(Output):
    """`receipt` is for the server itself: a transport takes it for the bytes."""

    file_name: str
    receipt: str
    size_bytes: int
    sha256: str
    counts: dict[str, int]


class LineCounter:
    """The lines of an export, counted on their way."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.lines = 0

    def count_and_return_line(self, row_kind: str, line: bytes) -> bytes:
        self.counts[row_kind] += 1
        self.lines += 1
        return line


def run(call: Call, args: ExportProject) -> ProjectExported:
    project = find_project(call, args.project_id)
    counted = LineCounter()
    with call.installation.files.start_upload(NO_LIMIT_BYTES) as upload:
        waiting = bytearray()
        for line in iter_export_lines(call.tx, call.installation.files, project, counted):
            waiting += line
            if len(waiting) >= FILE_CHUNK_BYTES:
                upload.write(bytes(waiting))
                waiting.clear()
        upload.write(bytes(waiting))
        received = upload.save()
    return ProjectExported(
        file_name=f"{project.key}.pendesk.jsonl",
        receipt=make_signed_file_receipt(call.installation, call.actor, received, call.now, PURPOSE),
        size_bytes=received.size_bytes,
        sha256=received.sha256,
        counts=dict(counted.counts),
    )


def iter_export_lines(tx: Tx, files: Files, project: Project, counter: LineCounter) -> Iterator[bytes]:
    """The same project gives the same bytes, on either engine."""
    yield counter.count_and_return_line("header", jsonl.encode_header())
    for person in _read_people_referenced_in_project(tx, project.id):
        yield counter.count_and_return_line("person", jsonl.encode_line("person", person))
    for table in TABLES:
        for row in iter_rows(tx, table, project.id):
            yield counter.count_and_return_line(table.row_kind, jsonl.encode_row(table, row))
            if table.name == "attachments":
                yield from _attachment_content_lines(tx, files, row, counter)
    for table in (HISTORY, LOG):
        for row in iter_rows(tx, table, project.id):
            yield counter.count_and_return_line(table.row_kind, jsonl.encode_row(table, row))
    del counter.counts["header"]
    yield jsonl.encode_line("end", {"lines": counter.lines + 1})


def _read_people_referenced_in_project(tx: Tx, project_id: str) -> list[jsonl.Person]:
    ids = set().union(*(user_ids_in(tx, table, project_id) for table in (*TABLES, HISTORY, LOG)))
    return [jsonl.Person(*person) for person in imported.user_ids_kinds_names_and_emails(tx, sorted(ids))]


def _attachment_content_lines(tx: Tx, files: Files, row: Row, counter: LineCounter) -> Iterator[bytes]:
    """None where they were removed, or lost: an import then says so."""
    attachment = dict(zip(BY_NAME["attachments"].columns, row, strict=True))
    key = imported.storage_key(tx, attachment["id"])
    handle = files.open_fd(key) if key is not None and attachment["removed_at"] is None else None
    if handle is None:
        return
    with os.fdopen(handle, "rb") as file:
        while chunk := file.read(IMPORT_CHUNK_BYTES):
            counter.lines += 1
            yield jsonl.encode_attachment_chunk(chunk)


OPERATION = Operation(
    name="export_project",
    title="Export a project",
    description=(
        "Write the whole project into one file: everything that was planned, built, reviewed and discussed, its "
        "attachments and its history, and the names and addresses of those who did it. No secret is in it. For "
        "people: no token can do this. Refused: 404 no such project."
    ),
    input=ExportProject,
    output=ProjectExported,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.HEAVY_READ,
    run=run,
)
