"""The lines that the items of a review are about, quoted from the change that was submitted."""

from collections.abc import Sequence
from typing import Protocol

from pendesk.domain.change import Change, FilePatch, Side
from pendesk.domain.errors import BadField
from pendesk.domain.line_anchor import LineRange, quote_lines
from pendesk.operations.changes.patches import read_patch
from pendesk.operations.operation import Call
from pendesk.store import changes


class AnchoredItem(Protocol):
    @property
    def path(self) -> str | None: ...
    @property
    def side(self) -> Side: ...
    @property
    def line(self) -> int | None: ...
    @property
    def end_line(self) -> int | None: ...


def quotes_of_items(call: Call, submission_id: str, items: Sequence[AnchoredItem]) -> list[str | None]:
    """One for each; None for an item about no line. Lines that the change does not show are refused by name."""
    if all(item.path is None and item.line is None for item in items):
        return [None] * len(items)
    change = changes.of_submission(call.tx, submission_id)
    patches: dict[str, FilePatch] = {}
    return [_quote(call, change, patches, item, f"items[{place}]") for place, item in enumerate(items)]


def _quote(
    call: Call, change: Change | None, patches: dict[str, FilePatch], item: AnchoredItem, field: str
) -> str | None:
    if item.path is None and item.line is None:
        return None
    if item.path is None:
        raise BadField(f"{field}.path", "is missing beside line: name the file.")
    if item.line is None:
        raise BadField(f"{field}.line", "is missing beside path: name the line.")
    if item.path not in patches:
        patches[item.path] = _patch(call, change, item.path, field)
    lines = LineRange(item.side, item.line, item.end_line or item.line)
    quote = quote_lines(patches[item.path], lines) if lines.line <= lines.end_line else None
    if quote is None:
        raise BadField(
            f"{field}.line",
            f"the change shows no lines {lines.line} to {lines.end_line} of {item.path} ({item.side} side) in one "
            "hunk. Choose lines that it shows.",
        )
    return quote


def _patch(call: Call, change: Change | None, path: str, field: str) -> FilePatch:
    file = changes.file_by_path(call.tx, change.id, path) if change else None
    if change is None or file is None:
        raise BadField(f"{field}.path", "is no file of the submitted change. Name one of its files.")
    return read_patch(call, change, file)
