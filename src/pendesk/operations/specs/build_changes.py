"""What changed from one build of a spec to another, or to what would be published now."""

from typing import Any

from pendesk.domain.action import ref_code
from pendesk.domain.build import Build, BuildAction
from pendesk.domain.comparison import compare_fields
from pendesk.domain.word_diff import StepBudget
from pendesk.operations.operation import Call, Output
from pendesk.operations.revisions.comparison_results import FieldDiff, to_field_diffs
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


BuildWithActions = tuple[Build, list[BuildAction]]


def builds_differ(before: BuildWithActions, after: BuildWithActions) -> bool:
    """Would agents read anything else? Without saying what, which costs more."""
    return _comparable_build_fields(before[0]) != _comparable_build_fields(after[0]) or _action_snapshots_by_id(
        before
    ) != _action_snapshots_by_id(after)


def diff_builds(call: Call, project_key: str, before: BuildWithActions | None, after: BuildWithActions) -> BuildDiff:
    """Before the first build there was nothing. All of it shares one effort, the spec first."""
    effort = StepBudget()
    spec = compare_fields(
        _comparable_build_fields(before[0]) if before else {}, _comparable_build_fields(after[0]), effort
    )
    old = _action_snapshots_by_id(before) if before else {}
    new = _action_snapshots_by_id(after)
    numbers = actions.ref_number_by_id(call.tx, sorted({*old, *new}))
    diffs = [
        _action_diff(pid, ref_code(project_key, numbers[pid]), old.get(pid), new.get(pid), effort)
        for pid in [*new, *(pid for pid in old if pid not in new)]
    ]
    return BuildDiff(
        spec=to_field_diffs(spec),
        actions=[diff for diff in diffs if diff.fields],
    )


def _action_snapshots_by_id(build: BuildWithActions) -> dict[str, dict[str, Any]]:
    return {action.action_id: from_json(action.snapshot) for action in build[1]}


def _comparable_build_fields(build: Build) -> dict[str, Any]:
    frozen = from_json(build.snapshot)
    spec = {name: value for name, value in frozen["spec"].items() if name not in UNREAD}
    return {**spec, "approach": frozen["plan"]["approach"]}


def _action_diff(
    action_id: str, ref: str, old: dict[str, Any] | None, new: dict[str, Any] | None, budget: StepBudget
) -> ActionDiff:
    change = "added" if old is None else "removed" if new is None else "changed"
    fields = to_field_diffs(compare_fields(old or {}, new or {}, budget))
    return ActionDiff(pid=action_id, ref_code=ref, label=(new or old or {})["label"], change=change, fields=fields)
