"""export_project: the whole project as one file, from one moment."""

import os
from collections import Counter
from collections.abc import Iterator

from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import FILE_CHUNK_BYTES, IMPORT_CHUNK_BYTES
from pendesk.domain.project import Project
from pendesk.operations.attachments.receipts import write_receipt
from pendesk.operations.exchange import jsonl
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.projects.find import find_project
from pendesk.store import imported
from pendesk.store.engine.tx import Row, Tx
from pendesk.store.files import Files
from pendesk.store.portable.rows import people_in, rows
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

    def row(self, word: str, line: bytes) -> bytes:
        self.counts[word] += 1
        self.lines += 1
        return line


def run(call: Call, args: ExportProject) -> ProjectExported:
    project = find_project(call, args.project_id)
    counted = LineCounter()
    with call.installation.files.receive(NO_LIMIT_BYTES) as upload:
        waiting = bytearray()
        for line in project_lines(call.tx, call.installation.files, project, counted):
            waiting += line
            if len(waiting) >= FILE_CHUNK_BYTES:
                upload.write(bytes(waiting))
                waiting.clear()
        upload.write(bytes(waiting))
        received = upload.keep()
    return ProjectExported(
        file_name=f"{project.key}.pendesk.jsonl",
        receipt=write_receipt(call.installation, call.actor, received, call.now, PURPOSE),
        size_bytes=received.size_bytes,
        sha256=received.sha256,
        counts=dict(counted.counts),
    )


def project_lines(tx: Tx, files: Files, project: Project, counted: LineCounter) -> Iterator[bytes]:
    """The same project gives the same bytes, on either engine."""
    yield counted.row("header", jsonl.write_header())
    for person in _people(tx, project.id):
        yield counted.row("person", jsonl.write("person", person))
    for table in TABLES:
        for row in rows(tx, table, project.id):
            yield counted.row(table.word, jsonl.write_row(table, row))
            if table.name == "attachments":
                yield from _bytes(tx, files, row, counted)
    for table in (HISTORY, LOG):
        for row in rows(tx, table, project.id):
            yield counted.row(table.word, jsonl.write_row(table, row))
    del counted.counts["header"]
    yield jsonl.write("end", {"lines": counted.lines + 1})


def _people(tx: Tx, project_id: str) -> list[jsonl.Person]:
    ids = set().union(*(people_in(tx, table, project_id) for table in (*TABLES, HISTORY, LOG)))
    return [jsonl.Person(*person) for person in imported.people(tx, sorted(ids))]


def _bytes(tx: Tx, files: Files, row: Row, counted: LineCounter) -> Iterator[bytes]:
    """None where they were removed, or lost: an import then says so."""
    attachment = dict(zip(BY_NAME["attachments"].columns, row, strict=True))
    key = imported.storage_key(tx, attachment["id"])
    handle = files.open(key) if key is not None and attachment["removed_at"] is None else None
    if handle is None:
        return
    with os.fdopen(handle, "rb") as file:
        while chunk := file.read(IMPORT_CHUNK_BYTES):
            counted.lines += 1
            yield jsonl.write_bytes(chunk)


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
    kind=Kind.SCAN,
    run=run,
)
