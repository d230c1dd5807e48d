"""Deviations as a reviewer sees them, and the edit that makes one part of what was agreed."""

from typing import Any, NamedTuple

from pendesk.domain.action import Action
from pendesk.domain.deviation import CAN_GO_INTO_SPEC, CommandResult, Deviation, DeviationKind, dependency_name
from pendesk.domain.errors import RuleBroken
from pendesk.domain.limits import DEVIATION_SUBJECTS_SHOWN, GLOB_CHARS, PATH_GLOBS
from pendesk.domain.project import Spec
from pendesk.domain.scope_rules import FIELDS, with_exceptions
from pendesk.operations.operation import Output, to_iso_or_none
from pendesk.store.engine.json_text import from_json


class DeviationRow(Output):
    """kind: forbidden_path, dependency_added, outside_paths, required_path_unchanged, command_failed,
    command_not_reported or commit_without_criterion. rule: the boundary or condition. subjects: the first of count.
    state: open, accepted or requested. can_go_into_spec: accepting may edit the spec, or the action's paths.
    """

    id: str
    kind: str
    subjects: list[str]
    count: int
    state: str
    can_go_into_spec: bool
    rule: str | None = None
    decided_by: str | None = None
    decided_at: str | None = None


class CommandRow(Output):
    """What the agent says of a command that the spec requires to pass."""

    command: str
    outcome: str
    evidence: str


class Agreed(NamedTuple):
    """What accepting may edit, as it is now."""

    action: Action
    spec: Spec | None


def deviation_row(deviation: Deviation, agreed: Agreed, name_by_user_id: dict[str, str]) -> DeviationRow:
    return DeviationRow(
        id=deviation.id,
        kind=deviation.kind,
        subjects=deviation.subject_list[:DEVIATION_SUBJECTS_SHOWN],
        count=deviation.total,
        state=deviation.state,
        can_go_into_spec=_fits(deviation, agreed),
        rule=deviation.rule,
        decided_by=name_by_user_id.get(deviation.decided_by) if deviation.decided_by else None,
        decided_at=to_iso_or_none(deviation.decided_at),
    )


def command_row(result: CommandResult) -> CommandRow:
    return CommandRow(command=result.command, outcome=result.outcome, evidence=result.evidence)


def _fits(deviation: Deviation, agreed: Agreed) -> bool:
    if deviation.kind not in CAN_GO_INTO_SPEC or not deviation.is_whole:
        return False
    try:
        if deviation.kind == DeviationKind.OUTSIDE_PATHS:
            widened_paths(agreed.action, [deviation])
        else:
            spec_edit(agreed.spec, [deviation])
    except RuleBroken:
        return False
    return True


def widened_paths(action: Action, accepted: list[Deviation]) -> list[str] | None:
    """The paths of the action with those that were accepted; None where none is of that kind."""
    added = [path for entry in accepted if entry.kind == DeviationKind.OUTSIDE_PATHS for path in entry.subject_list]
    if not added:
        return None
    paths = list(dict.fromkeys((*from_json(action.paths), *added)))
    if len(paths) > PATH_GLOBS or any(len(path) > GLOB_CHARS for path in added):
        raise RuleBroken(
            f"With these the action would have {len(paths)} paths, and {PATH_GLOBS} of {GLOB_CHARS} characters is the "
            "limit. Accept them without changing the action, and give it a folder instead.",
            code="too_many_paths",
        )
    return paths


def spec_edit(spec: Spec | None, accepted: list[Deviation]) -> dict[str, Any]:
    """The lists of the spec whose rules except what was accepted. Refused where a rule is no longer there as it was."""
    lists: dict[str, list[str]] = {field: from_json(getattr(spec, field)) for field in FIELDS} if spec else {}
    changed: dict[str, Any] = {}
    for entry in accepted:
        if entry.kind == DeviationKind.OUTSIDE_PATHS:
            continue
        field = next((name for name, texts in lists.items() if entry.rule in texts), None)
        if field is None or entry.rule is None:
            raise RuleBroken(
                "The rule was edited since this was submitted. Accept it without changing the spec, and edit the spec "
                "yourself where it is still needed.",
                code="rule_changed",
            )
        edited = with_exceptions(entry.rule, _exceptions(entry))
        lists[field] = [edited if text == entry.rule else text for text in lists[field]]
        changed[field] = lists[field]
    return changed


def _exceptions(deviation: Deviation) -> list[str]:
    if deviation.kind == DeviationKind.FORBIDDEN_PATH:
        return deviation.subject_list
    names = [dependency_name(subject) for subject in deviation.subject_list]
    if None in names:
        raise RuleBroken(
            "Some of these could not be read, so they cannot be written into the rule. Accept them without changing "
            "the spec.",
            code="not_readable",
        )
    return [name for name in names if name is not None]
