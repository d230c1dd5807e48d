"""Builds: what publishing freezes, and what changed between two of them."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from pendesk.domain.action import NOT_READY, Action
from pendesk.domain.errors import RuleBroken
from pendesk.domain.limits import DIFF_BRIEF_STEPS, DIFF_CHARS, DIFF_ITEMS, DIFF_LINE_STEPS
from pendesk.domain.word_diff import DiffBlock, StepBudget, diff_blocks

CONTEXT_LINES = 1
TOO_LONG_TO_COMPARE = "(too long to compare)"


class Build(NamedTuple):
    """snapshot is the spec and its plan as they were: JSON {spec: {...}, plan: {...}}."""

    id: str
    spec_id: str
    plan_id: str
    number: int
    snapshot: str
    published_by: str
    published_at: int


class BuildAction(NamedTuple):
    """snapshot is the action as it was: JSON {label, description, area, paths, criteria: [{id, text, revision}]}."""

    build_id: str
    action_id: str
    position: int
    snapshot: str
    brief_rev: str


def publishable_actions(actions: list[Action]) -> list[Action]:
    """Ideas and unfinished designs are not for agents yet. What was dropped stays visible, as dropped."""
    return [action for action in actions if action.state not in NOT_READY]


def check_publishable(refs: list[str], refs_without_criteria: list[str]) -> None:
    """Everything that is missing is named at once. What is done already needs no criterion."""
    if not refs:
        raise RuleBroken(
            "The active plan has no action. Add at least one, with acceptance criteria, then publish.",
            code="nothing_to_publish",
        )
    if refs_without_criteria:
        named = ", ".join(refs_without_criteria)
        raise RuleBroken(
            f"These actions have no acceptance criterion: {named}. Add one to each, then publish.",
            code="criteria_missing",
            actions=refs_without_criteria,
        )


def brief_revision_hash(build_snapshot: str, action_snapshot: str) -> str:
    """The hash of all that instructs the agent. Progress does not change it; a changed word does."""
    return hashlib.sha256(f"{build_snapshot}\x00{action_snapshot}".encode()).hexdigest()[:16]


def diff_briefs_by_field(before: dict[str, Any], after: dict[str, Any]) -> list[dict[str, str]]:
    """A compact diff of two briefs, field by field: texts by line, lists by item, criteria by id."""
    effort = StepBudget(DIFF_BRIEF_STEPS)
    differences: list[dict[str, str]] = []
    for field in sorted(set(before) | set(after)):
        old, new = before.get(field), after.get(field)
        if old == new:
            continue
        if isinstance(old, list) or isinstance(new, list):
            differences.extend(_list_added_and_removed_items(field, old or [], new or [], effort))
        else:
            differences.append({"field": field, "diff": _unified_diff(str(old or ""), str(new or ""), effort)})
    return differences


def _list_added_and_removed_items(
    field: str, old: list[Any], new: list[Any], budget: StepBudget
) -> list[dict[str, str]]:
    old_items = [_diffable_item_text(item) for item in old[:DIFF_ITEMS]]
    new_items = [_diffable_item_text(item) for item in new[:DIFF_ITEMS]]
    changed = [block for block in diff_blocks(old_items, new_items, DIFF_LINE_STEPS, budget) if not block.same]
    differences = [{"field": field, "removed": text} for block in changed for text in old_items[block.a0 : block.a1]]
    differences += [{"field": field, "added": text} for block in changed for text in new_items[block.b0 : block.b1]]
    return differences


def _diffable_item_text(item: Any) -> str:
    if isinstance(item, dict):
        return str(item.get("text") or json.dumps(item, sort_keys=True, ensure_ascii=False))
    return str(item)


def _unified_diff(old: str, new: str, budget: StepBudget) -> str:
    """As `diff -U1` writes it, without the two lines that name files."""
    if len(old) + len(new) > DIFF_CHARS:
        return TOO_LONG_TO_COMPARE
    before, after = old.splitlines(), new.splitlines()
    line_blocks = diff_blocks(before, after, DIFF_LINE_STEPS, budget)
    return "\n".join(
        line for hunk in _group_blocks_into_hunks(line_blocks) for line in _render_hunk_lines(hunk, before, after)
    )


def _group_blocks_into_hunks(line_blocks: list[DiffBlock]) -> Iterator[list[DiffBlock]]:
    """Changes with the lines around them; those with few lines in between stand together."""
    hunk: list[DiffBlock] = []
    for place, block in enumerate(line_blocks):
        if not block.same:
            hunk.append(block)
            continue
        size, last = block.a1 - block.a0, place + 1 == len(line_blocks)
        if hunk and (last or size > 2 * CONTEXT_LINES):
            yield [*hunk, _slice_equal_block(block, 0, min(size, CONTEXT_LINES))]
            hunk = []
        if not last:
            hunk.append(block if hunk else _slice_equal_block(block, max(0, size - CONTEXT_LINES), size))
    if hunk:
        yield hunk


def _slice_equal_block(block: DiffBlock, begin: int, end: int) -> DiffBlock:
    return DiffBlock(True, block.a0 + begin, block.a0 + end, block.b0 + begin, block.b0 + end)


def _render_hunk_lines(hunk: list[DiffBlock], old_lines: list[str], new_lines: list[str]) -> Iterator[str]:
    old, new = (hunk[0].a0, hunk[-1].a1), (hunk[0].b0, hunk[-1].b1)
    yield f"@@ -{_format_hunk_range(*old)} +{_format_hunk_range(*new)} @@"
    for block in hunk:
        if block.same:
            yield from (f" {line}" for line in old_lines[block.a0 : block.a1])
            continue
        yield from (f"-{line}" for line in old_lines[block.a0 : block.a1])
        yield from (f"+{line}" for line in new_lines[block.b0 : block.b1])


def _format_hunk_range(begin: int, end: int) -> str:
    """Of an empty range the line before it is named."""
    size = end - begin
    return str(begin + 1) if size == 1 else f"{begin + 1 if size else begin},{size}"
