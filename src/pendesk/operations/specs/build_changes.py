"""What changed from one build of a spec to another, or to what would be published now."""

from typing import Any

from pendesk.domain.action import ref_code
from pendesk.domain.build import Build, BuildAction
from pendesk.domain.comparison import compare
from pendesk.domain.word_diff import Effort
from pendesk.operations.operation import Call, Output
from pendesk.operations.revisions.comparison_results import FieldDiff, field_diffs
from pendesk.store import actions
from pendesk.store.engine.json_text import from_json

# Not read by agents, or told elsewhere.
UNREAD = ("id", "revision")


class ActionDiff(Output):
    """change: added, removed or changed."""

    pid: str
    ref_code: str
    label: str
    change: str
    fields: list[FieldDiff]


class BuildDiff(Output):
    """spec: what differs in the spec and in the plan's approach."""

    spec: list[FieldDiff]
    actions: list[ActionDiff]


Published = tuple[Build, list[BuildAction]]


def builds_differ(before: Published, after: Published) -> bool:
    """Would agents read anything else? Without saying what, which costs more."""
    return _texts(before[0]) != _texts(after[0]) or _action_texts(before) != _action_texts(after)


def build_diff(call: Call, key: str, before: Published | None, after: Published) -> BuildDiff:
    """Before the first build there was nothing. All of it shares one effort, the spec first."""
    effort = Effort()
    spec = compare(_texts(before[0]) if before else {}, _texts(after[0]), effort)
    old = _action_texts(before) if before else {}
    new = _action_texts(after)
    numbers = actions.ref_numbers(call.tx, sorted({*old, *new}))
    diffs = [
        _action(pid, ref_code(key, numbers[pid]), old.get(pid), new.get(pid), effort)
        for pid in [*new, *(pid for pid in old if pid not in new)]
    ]
    return BuildDiff(
        spec=field_diffs(spec),
        actions=[diff for diff in diffs if diff.fields],
    )


def _action_texts(published: Published) -> dict[str, dict[str, Any]]:
    return {action.action_id: from_json(action.snapshot) for action in published[1]}


def _texts(build: Build) -> dict[str, Any]:
    frozen = from_json(build.snapshot)
    spec = {name: value for name, value in frozen["spec"].items() if name not in UNREAD}
    return {**spec, "approach": frozen["plan"]["approach"]}


def _action(pid: str, ref: str, old: dict[str, Any] | None, new: dict[str, Any] | None, effort: Effort) -> ActionDiff:
    change = "added" if old is None else "removed" if new is None else "changed"
    fields = field_diffs(compare(old or {}, new or {}, effort))
    return ActionDiff(pid=pid, ref_code=ref, label=(new or old or {})["label"], change=change, fields=fields)
