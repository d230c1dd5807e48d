"""Files of other programs, and exports of our own."""

import io
import zipfile
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from bench.inputs.case import case, repeated
from pendesk.domain.errors import BadField
from pendesk.domain.exchange.backlog import read_backlog_md_folder
from pendesk.domain.exchange.github_issues import read_github_issues
from pendesk.domain.exchange.html_text import html_to_markdown
from pendesk.domain.exchange.plan_desk import read_plan_desk_export
from pendesk.domain.exchange.source import ImportFile, decode_json
from pendesk.domain.exchange.task_master import read_task_master_file
from pendesk.domain.limits import FOREIGN_FILE_BYTES, FOREIGN_TEXT_CHARS, IMPORT_LINE_BYTES
from pendesk.operations.exchange.jsonl import decode_line_kind_and_value
from pendesk.operations.exchange.source_files import read_uploaded_import_files

TASK = "---\nid: task-1\ntitle: A task\n---\n"


def backlog(text: str) -> object:
    return read_backlog_md_folder([ImportFile("tasks/task-1.md", text.encode())])


def issues(text: str) -> object:
    return read_github_issues([ImportFile("issues.json", text.encode())])


def issue(body: Callable[[int], str]) -> Callable[[int], str]:
    return lambda size: msgspec.json.encode([{"number": 1, "title": "A", "body": body(size * 4 // 5)}]).decode()


def task_master(text: str) -> object:
    return read_task_master_file([ImportFile("tasks.json", text.encode())])


def plan_desk(parts: dict[str, Any]) -> object:
    export = {"version": "plandesk-export-v3", "project": {"name": "A"}, **parts}
    return read_plan_desk_export([ImportFile("export.json", msgspec.json.encode(export))])


def long_id(size: int) -> str:
    """A task whose id is half of the file, and subtasks whose keys would begin with it."""
    subtasks = [{"id": number, "title": "A"} for number in range(size // 50)]
    return msgspec.json.encode({"tasks": [{"id": "a" * (size // 3), "title": "A", "subtasks": subtasks}]}).decode()


def artifact(size: int) -> dict[str, Any]:
    return {"artifacts": [{"id": "a", "title": "A", "kind": "text", "content": "`" * (size - 500)}]}


def note(unit: str) -> Callable[[int], dict[str, Any]]:
    return lambda size: {"notes": [{"title": "A", "body": repeated(unit, "<p>")(size - 500)}]}


def twice_at_the_end(size: int) -> str:
    """Every name once, and the last one again."""
    names = [f'"a{number}":1' for number in range(size // 14 + 1)]
    return "{" + ",".join([*names, names[-1]]) + "}"


def entries(size: int) -> io.BytesIO:
    """An archive of empty files, each of which takes about a hundred bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(max(size // 100, 1)):
            archive.writestr(zipfile.ZipInfo(f"{number}.x"), b"")
    return packed


def json_text(text: str) -> object:
    return decode_json(ImportFile("tasks.json", text.encode()))


def export_line(raw: bytes) -> object:
    try:
        return decode_line_kind_and_value(1, raw)
    except BadField as refusal:
        return refusal.message


def revision(size: int) -> bytes:
    return b'{"revision":{"content":' + b"[" * (size // 2) + b"]" * (size // 2) + b"}}"


FILE = FOREIGN_FILE_BYTES
CASES = [
    case("import: JSON", "a list of empty objects", FILE, json_text, repeated("{},", "[", "{}]")),
    case("import: JSON", "brackets in brackets", FILE, json_text,
         lambda size: "[" * (size // 2) + "]" * (size // 2)),
    case("import: JSON", "a name that is given twice, the last of many", FILE, json_text, twice_at_the_end),
    case("import: JSON", "a number of digits", FILE, json_text, repeated("1")),
    case("import: front matter", "a name and blanks, no colon", FILE, backlog, repeated(" ", "---\na", "b\n---\n")),
    case("import: front matter", "a list of commas", FILE, backlog,
         repeated(",", "---\nid: 1\nlabels: [", "]\n---\n")),
    case("import: front matter", "a list of letters", FILE, backlog,
         repeated("a", "---\nid: 1\nlabels: [", "]\n---\n")),
    case("import: front matter", "a value of blanks and no comment", FILE, backlog,
         repeated(" ", "---\nid: 1\ntitle: a", "b\n---\n")),
    case("import: Backlog.md", "blanks", FILE, backlog, repeated(" ", TASK + "a", "b")),
    case("import: Backlog.md", "a heading of blanks", FILE, backlog, repeated(" ", TASK + "## a", "b")),
    case("import: Backlog.md", "a criterion of blanks", FILE, backlog,
         repeated(" ", TASK + "## Acceptance Criteria\n- [ ] a", "b")),
    case("import: Backlog.md", "criteria by the million", FILE, backlog,
         repeated("- [ ] a\n", TASK + "## Acceptance Criteria\n")),
    case("import: Backlog.md", "one heading over and over", FILE, backlog, repeated("## a\nb\n", TASK)),
    case("import: GitHub", "a list item of blanks", FILE, issues, issue(repeated(" ", "- [ ] a", "b"))),
    case("import: GitHub", "list items by the million", FILE, issues, issue(repeated("- [ ] a\n"))),
    case("import: GitHub", "a list of empty lists", FILE, issues, repeated("[],", "[", "[]]")),
    case("import: GitHub", "labels by the million", FILE, issues,
         repeated('"a",', '[{"number":1,"title":"A","labels":[', '"a"]}]')),
    case("import: Task Master", "empty tasks", FILE, task_master, repeated("{},", '{"tasks":[', "{}]}")),
    case("import: Task Master", "a long id over many subtasks", FILE, task_master, long_id),
    case("import: Plan Desk", "an artifact of back-quotes", FILE, plan_desk, artifact),
    case("import: Plan Desk", "a note of half a tag", FILE, plan_desk, note("<a ")),
    *(
        case("import: HTML", f"{unit} over and over", FOREIGN_TEXT_CHARS, html_to_markdown, repeated(unit, "<p>"))
        for unit in ("<a ", '<a b="', "<!--", "</", "<?", "<", "&", "&#", "<script>", "<ul><li>", "<p ", "</a ", "<a b")
    ),
    case("import: zip", "empty files by the hundred thousand", FILE,
         partial(read_uploaded_import_files, source_program="github"), entries),
    case("import: our own", "a line of brackets", IMPORT_LINE_BYTES, export_line, revision),
]  # fmt: skip
