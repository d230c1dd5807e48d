"""GET /a/{ref}/change and /a/{ref}/change/file: what a branch does to the code. The review page has it as a part.

With the page come the first files; the others, and the rest of long ones, are loaded when they are scrolled to.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import urlencode

from pendesk.domain.change import Part
from pendesk.domain.errors import NotFound
from pendesk.domain.limits import (
    CHANGE_CHUNK_LINES,
    CHANGE_FIRST_LINES,
    CHANGE_FOLDED_FILE_LINES,
    CHANGE_GROUP_FILES,
)
from pendesk.transports.web.parts.diff_rows import Columns, DiffChunk, build_chunk
from pendesk.transports.web.parts.file_tree import Folder, build_tree
from pendesk.transports.web.parts.view import Page, View

COOKIE = "pendesk_diff"
NUMBER_DIGITS = 9


class Options(NamedTuple):
    """How a change is shown. `number`: of its submission, None while it is pending."""

    columns: Columns
    hides_blanks: bool
    part: Part
    criterion_id: str | None
    number: int | None = None


class ShownFile(NamedTuple):
    """`chunk`: its first lines, where they come with the page. `folded`: why its lines are not shown at first."""

    file: Any
    address: str
    folded: str
    chunk: DiffChunk | None = None


class FileGroup(NamedTuple):
    """`shown` is empty where they are loaded once they are scrolled to."""

    address: str
    first: int
    size: int
    shown: list[ShownFile]


class Criterion(NamedTuple):
    id: str
    number: int
    text: str


def read_options(view: View) -> Options:
    """The address decides; else how the reader looked at changes before."""
    before = view.request.cookies.get(COOKIE, "")
    columns, space = view.query_param("diff"), view.query_param("space")
    return Options(
        columns="split" if (columns or ("split" if "split" in before else "")) == "split" else "unified",
        hides_blanks=(space or ("hide" if "hide" in before else "")) == "hide",
        part="since" if view.query_param("part") == "since" else "change",
        criterion_id=view.query_param("criterion"),
        number=_number(view, "submission"),
    )


def _number(view: View, name: str) -> int | None:
    text = view.query_param(name) or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= NUMBER_DIGITS else None


async def load_change(view: View, ref: str, criteria: Iterable[Any], *, with_lines: bool = True) -> dict[str, Any]:
    """For parts/change.html."""
    options = read_options(view)
    change_view = await view.call("get_change", action_id=ref, submission_number=options.number, part=options.part)
    if view.is_json:
        return {"change_view": change_view}
    if change_view.change is not None:
        options = options._replace(number=change_view.change.submission_number)
    files = [file for file in change_view.files if _serves(file, options.criterion_id)]
    numbered = {trace.id: Criterion(trace.id, trace.number, trace.text) for trace in criteria}
    return {
        "change_view": change_view,
        "options": options,
        "criteria_by_id": numbered,
        "commits_by_sha": {commit.sha: commit for commit in change_view.commits},
        "tree": build_tree(files) if files else Folder("", [], []),
        "shown_files": files,
        "groups": await _groups(view, ref, files, options, CHANGE_FIRST_LINES if with_lines else 0),
    }


def _serves(file: Any, criterion_id: str | None) -> bool:
    return criterion_id is None or criterion_id in file.criterion_ids


async def _groups(view: View, ref: str, files: list[Any], options: Options, room: int) -> list[FileGroup]:
    """One with its files, the first if no other is asked for, and those with their lines up to a screenful."""
    wanted = _number(view, "group") or 0
    groups = []
    for index in range(0, len(files), CHANGE_GROUP_FILES):
        members = files[index : index + CHANGE_GROUP_FILES]
        shown: list[ShownFile] = []
        for file in members if index == wanted else ():
            shown.append(await _shown_file(view, ref, file, options, room))
            room -= shown[-1].chunk.end if shown[-1].chunk else 0
        groups.append(FileGroup(_address(ref, "", options, group=index), members[0].position, len(members), shown))
    return groups


async def _shown_file(view: View, ref: str, file: Any, options: Options, room: int) -> ShownFile:
    folded = _why_folded(file)
    address = _address(ref, "/file", options, position=file.position, digest=file.digest)
    has_lines = file.added + file.removed > 0 and file.kind != "binary" and not file.omitted
    is_with_page = room > 0 and has_lines and not folded
    chunk = await _load_chunk(view, ref, file.position, options, 0, room) if is_with_page else None
    return ShownFile(file, address, folded, chunk)


def _why_folded(file: Any) -> str:
    lines = file.added + file.removed
    if file.viewed:
        return "Viewed."
    if file.since_last == "same":
        return "Not changed since the last submission."
    return f"A large change: {lines:,} lines." if lines > CHANGE_FOLDED_FILE_LINES else ""


async def _load_chunk(view: View, ref: str, position: int, options: Options, start: int, count: int) -> DiffChunk:
    file = await view.call(
        "get_change_file", action_id=ref, position=position, part=options.part, submission_number=options.number
    )
    return await build_chunk(
        file,
        start,
        min(count, CHANGE_CHUNK_LINES),
        columns=options.columns,
        hides_blanks=options.hides_blanks,
        criterion_id=options.criterion_id,
    )


def _address(ref: str, of: str, options: Options, **values: object) -> str:
    query = {
        "diff": options.columns,
        "space": "hide" if options.hides_blanks else "show",
        "part": options.part,
        "criterion": options.criterion_id,
        "submission": options.number,
        **values,
    }
    return f"/a/{ref}/change{of}?" + urlencode({name: value for name, value in query.items() if value is not None})


async def load(view: View) -> dict[str, Any]:
    ref = view.path_param("ref")
    action = await view.call("get_action", action_id=ref)
    traces = [Criterion(row.id, number, row.text) for number, row in enumerate(action.criteria, 1)]
    only_group = view.is_fragment and view.query_param("group") is not None
    return {"action": action, "only_group": only_group, **await load_change(view, action.ref_code, traces)}


async def load_file(view: View) -> dict[str, Any]:
    ref, options = view.path_param("ref"), read_options(view)
    start, position = _number(view, "from") or 0, _number(view, "position") or 0
    try:
        chunk = await _load_chunk(view, ref, position, options, start, CHANGE_CHUNK_LINES)
    except NotFound:
        await view.call("get_change", action_id=ref)  # refused where it is the action that is not there
        return {"chunk": None}
    if view.is_json:
        return {"file": chunk.file}
    is_replaced = view.query_param("digest") not in (None, chunk.file.digest)
    address = _address(ref, "/file", options, position=position, digest=chunk.file.digest)
    return {"chunk": None if is_replaced else chunk, "address": address}


PAGES = [Page("/a/{ref}/change", "change.html", load), Page("/a/{ref}/change/file", "change_file.html", load_file)]
