"""Builds: what publishing freezes, and what changed between two of them."""

import difflib
import hashlib
import json
from itertools import islice
from typing import Any, NamedTuple

from pendesk.domain.action import Action
from pendesk.domain.errors import RuleBroken


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


def to_publish(actions: list[Action]) -> list[Action]:
    """Ideas and unfinished designs are not for agents yet. What was dropped stays visible, as dropped."""
    return [action for action in actions if action.state not in ("backlog", "scope")]


def check_publishable(actions: list[tuple[str, int]]) -> None:
    """`actions` are (ref, number of criteria). Everything that is missing is told at once."""
    if not actions:
        raise RuleBroken(
            "The active plan has no action. Add at least one, with acceptance criteria, then publish.",
            code="nothing_to_publish",
        )
    bare = [ref for ref, criteria in actions if criteria == 0]
    if bare:
        raise RuleBroken(
            f"These actions have no acceptance criterion: {', '.join(bare)}. Add one to each, then publish.",
            code="criteria_missing",
            actions=bare,
        )


def brief_rev(build_snapshot: str, action_snapshot: str) -> str:
    """The hash of all that instructs the agent. Progress does not change it; a changed word does."""
    return hashlib.sha256(f"{build_snapshot}\x00{action_snapshot}".encode()).hexdigest()[:16]


def changes(before: dict[str, Any], after: dict[str, Any]) -> list[dict[str, str]]:
    """A compact diff of two briefs, field by field: texts by line, lists by item, criteria by id."""
    found: list[dict[str, str]] = []
    for field in sorted(set(before) | set(after)):
        old, new = before.get(field), after.get(field)
        if old == new:
            continue
        if isinstance(old, list) or isinstance(new, list):
            found.extend(_list_changes(field, old or [], new or []))
        else:
            found.append({"field": field, "diff": _text_diff(str(old or ""), str(new or ""))})
    return found


def _list_changes(field: str, old: list[Any], new: list[Any]) -> list[dict[str, str]]:
    old_items = [_item_text(item) for item in old]
    new_items = [_item_text(item) for item in new]
    steps = difflib.SequenceMatcher(None, old_items, new_items, autojunk=False).get_opcodes()
    changed = [step for step in steps if step[0] != "equal"]
    found = [{"field": field, "removed": text} for _, a, b, _, _ in changed for text in old_items[a:b]]
    found += [{"field": field, "added": text} for _, _, _, a, b in changed for text in new_items[a:b]]
    return found


def _item_text(item: Any) -> str:
    if isinstance(item, dict):
        return str(item.get("text") or json.dumps(item, sort_keys=True, ensure_ascii=False))
    return str(item)


def _text_diff(old: str, new: str) -> str:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=1)
    return "\n".join(islice(lines, 2, None))  # without the two header lines, which name files
