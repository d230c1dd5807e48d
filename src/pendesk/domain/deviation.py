"""Where a submission departs from what was agreed: the paths of its action, the rules of its spec, its criteria.

One row for each kind and rule. A person accepts it, or makes a request of it; until then the submission cannot be
approved. Without a pushed change only what needs none is checked.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from pendesk.domain.change import ChangeFile, FileStatus
from pendesk.domain.dependencies import AddedDependency
from pendesk.domain.errors import BadField, Conflict, RuleBroken
from pendesk.domain.limits import DEVIATION_SUBJECTS, DEVIATION_SUBJECTS_TOLD
from pendesk.domain.path_globs import matches
from pendesk.domain.report import Outcome
from pendesk.domain.scope_rules import RuleKind, ScopeRule, normal_command


class DeviationKind(StrEnum):
    """In the order in which a reviewer sees them."""

    FORBIDDEN_PATH = "forbidden_path"
    DEPENDENCY_ADDED = "dependency_added"
    OUTSIDE_PATHS = "outside_paths"
    REQUIRED_PATH_UNCHANGED = "required_path_unchanged"
    COMMAND_FAILED = "command_failed"
    COMMAND_NOT_REPORTED = "command_not_reported"
    COMMIT_WITHOUT_CRITERION = "commit_without_criterion"


DEVIATION_WORDS = {
    DeviationKind.FORBIDDEN_PATH: "files that may not change",
    DeviationKind.DEPENDENCY_ADDED: "dependencies added",
    DeviationKind.OUTSIDE_PATHS: "files outside the action's paths",
    DeviationKind.REQUIRED_PATH_UNCHANGED: "files that had to change",
    DeviationKind.COMMAND_FAILED: "a required command failed",
    DeviationKind.COMMAND_NOT_REPORTED: "a required command was not reported",
    DeviationKind.COMMIT_WITHOUT_CRITERION: "commits that serve no criterion",
}
# Those that an edit of the spec, or of the action's paths, makes good.
CAN_GO_INTO_SPEC = {DeviationKind.FORBIDDEN_PATH, DeviationKind.DEPENDENCY_ADDED, DeviationKind.OUTSIDE_PATHS}


class DeviationState(StrEnum):
    OPEN = "open"
    ACCEPTED = "accepted"
    REQUESTED = "requested"


class Deviation(NamedTuple):
    """`rule`: the boundary or condition. `subjects`: JSON, the first of them; `total`: how many there are."""

    id: str
    action_id: str
    submission_id: str
    position: int
    kind: DeviationKind
    rule: str | None
    subjects: str
    total: int
    state: DeviationState
    decided_by: str | None = None
    decided_at: int | None = None

    @property
    def subject_list(self) -> list[str]:
        subjects: list[str] = json.loads(self.subjects)
        return subjects

    @property
    def is_whole(self) -> bool:
        """Whether every subject is known by name."""
        return len(self.subject_list) == self.total


class CommandResult(NamedTuple):
    """What an agent says of a command that a spec requires to pass."""

    submission_id: str
    position: int
    command: str
    outcome: Outcome
    evidence: str


class ServedCommit(NamedTuple):
    """A commit of the action, or of its change, with the criteria that it is for."""

    sha: str
    criterion_ids: Sequence[str]


class SubmittedScope(NamedTuple):
    """All that is compared. `files` and `dependencies` are None without a change; `unread` are files that list
    dependencies and came without their lines. `commits` are None where the action has no criteria.
    """

    paths: list[str]
    rules: list[ScopeRule]
    commands: list[CommandResult]
    commits: list[ServedCommit] | None = None
    files: list[ChangeFile] | None = None
    dependencies: list[AddedDependency] = []
    unread: list[str] = []


class Departure(NamedTuple):
    """A deviation before it is anybody's: every subject of one kind and rule."""

    kind: DeviationKind
    rule: str | None
    subjects: list[str]


def departures(scope: SubmittedScope) -> list[Departure]:
    every = [*_of_rules(scope), *_of_action(scope)]
    order = list(DeviationKind)
    return sorted((entry for entry in every if entry.subjects), key=lambda entry: order.index(entry.kind))


def _of_rules(scope: SubmittedScope) -> Iterator[Departure]:
    outcomes = {normal_command(result.command): result.outcome for result in scope.commands}
    touched = list(dict.fromkeys(path for file in scope.files or () for path in _touched_paths(file)))
    for rule in scope.rules:
        if rule.kind == RuleKind.RUN:
            outcome = outcomes.get(normal_command(rule.values[0]))
            if outcome is None:
                yield Departure(DeviationKind.COMMAND_NOT_REPORTED, rule.text, list(rule.values))
            elif outcome == Outcome.FAILED:
                yield Departure(DeviationKind.COMMAND_FAILED, rule.text, list(rule.values))
        elif scope.files is None:
            continue
        elif rule.kind == RuleKind.FORBID:
            subjects = [path for path in touched if rule.covers_path(path)]
            yield Departure(DeviationKind.FORBIDDEN_PATH, rule.text, subjects)
        elif rule.kind == RuleKind.REQUIRE:
            yield Departure(DeviationKind.REQUIRED_PATH_UNCHANGED, rule.text, _unchanged(rule, scope.files))
        else:
            added = [entry for entry in scope.dependencies if rule.covers_dependency(entry.name)]
            subjects = [*map(_dependency_subject, added), *map(_unread_subject, scope.unread)]
            yield Departure(DeviationKind.DEPENDENCY_ADDED, rule.text, subjects)


def _of_action(scope: SubmittedScope) -> Iterator[Departure]:
    if scope.paths:
        paths = dict.fromkeys(path for file in scope.files or () for path in _touched_paths(file))
        outside = [path for path in paths if not any(matches(glob, path) for glob in scope.paths)]
        yield Departure(DeviationKind.OUTSIDE_PATHS, None, outside)
    idle = [commit for commit in scope.commits or () if not commit.criterion_ids]
    yield Departure(DeviationKind.COMMIT_WITHOUT_CRITERION, None, [commit.sha for commit in idle])


def _touched_paths(file: ChangeFile) -> tuple[str, ...]:
    """What is moved away is touched where it was."""
    if file.status == FileStatus.RENAMED and file.old_path:
        return file.old_path, file.path
    return (file.path,)


def _unchanged(rule: ScopeRule, files: list[ChangeFile]) -> list[str]:
    """The paths of the rule that no file is at which was added or changed: to delete it does not do."""
    kept = [file.path for file in files if file.status != FileStatus.DELETED and not rule.excepts_path(file.path)]
    return [glob for glob in rule.values if not any(matches(glob, path) for path in kept)]


def _dependency_subject(dependency: AddedDependency) -> str:
    return f"{dependency.name} in {dependency.path}{'' if dependency.sure else ' (its section is not in the diff)'}"


def _unread_subject(path: str) -> str:
    return f"? in {path} (its lines were not pushed)"


def dependency_name(subject: str) -> str | None:
    """None of what could not be read."""
    name = subject.partition(" ")[0]
    return name if name != "?" else None


def to_deviations(
    action_id: str,
    submission_id: str,
    entries: Iterable[Departure],
    present: Sequence[Deviation],
    accepted: Sequence[Deviation],
    new_id: Callable[[], str],
) -> list[Deviation]:
    """`present` are those of the submission so far: what has the same subjects stays. `accepted` are those of the
    action that a person accepted, the newest first: with the same subjects or fewer it is accepted again.
    """
    deviations = []
    for position, entry in enumerate(entries):
        shown = entry.subjects[:DEVIATION_SUBJECTS]
        deviation = Deviation(
            id="",
            action_id=action_id,
            submission_id=submission_id,
            position=position,
            kind=entry.kind,
            rule=entry.rule,
            subjects=json.dumps(shown, ensure_ascii=False),
            total=len(entry.subjects),
            state=DeviationState.OPEN,
        )
        deviations.append(_as_decided(deviation, present, accepted)._replace(id=_id_of(deviation, present, new_id)))
    return deviations


def _id_of(deviation: Deviation, present: Sequence[Deviation], new_id: Callable[[], str]) -> str:
    """With other subjects it is another: nobody accepts what they have not seen."""
    same = (entry.id for entry in present if _what(entry) == _what(deviation))
    return next(same, None) or new_id()


def _what(deviation: Deviation) -> tuple[object, ...]:
    return deviation.kind, deviation.rule, deviation.subjects, deviation.total


def _as_decided(deviation: Deviation, present: Sequence[Deviation], accepted: Sequence[Deviation]) -> Deviation:
    for entry in present:
        if _what(entry) == _what(deviation):
            return deviation._replace(state=entry.state, decided_by=entry.decided_by, decided_at=entry.decided_at)
    earlier = [entry for entry in accepted if (entry.kind, entry.rule) == (deviation.kind, deviation.rule)]
    known = {subject for entry in earlier for subject in entry.subject_list}
    if earlier and deviation.is_whole and known.issuperset(deviation.subject_list):
        newest = earlier[0]
        return deviation._replace(
            state=DeviationState.ACCEPTED, decided_by=newest.decided_by, decided_at=newest.decided_at
        )
    return deviation


def describe_deviations(deviations: Iterable[Deviation]) -> str:
    """In a few words, for the log."""
    return ", ".join(dict.fromkeys(DEVIATION_WORDS[entry.kind] for entry in deviations)) or "none"


def check_none_open(deviations: Iterable[Deviation]) -> None:
    """Before a submission is approved."""
    still_open = [entry for entry in deviations if entry.state == DeviationState.OPEN]
    if still_open:
        raise RuleBroken(
            f"Approving needs every deviation accepted. Open: {'; '.join(map(_named, still_open))}. Accept them with "
            "accept_deviations, or request changes.",
            code="deviations_open",
            person_message=(
                f"These deviations are still open: {'; '.join(map(_named, still_open))}. Accept each of them, or "
                "request changes."
            ),
            deviations=[{"id": entry.id, "kind": entry.kind} for entry in still_open],
        )


def _named(deviation: Deviation) -> str:
    subjects = deviation.subject_list[:DEVIATION_SUBJECTS_TOLD]
    more = deviation.total - len(subjects)
    return f"{DEVIATION_WORDS[deviation.kind]} ({', '.join(subjects)}{f' and {more} more' if more else ''})"


def require_deviations(deviations: Iterable[Deviation], ids: Sequence[str]) -> list[Deviation]:
    """Those of the newest submission by their ids. What is not among them is of an earlier push or submission."""
    by_id = {entry.id: entry for entry in deviations}
    unknown = [ident for ident in ids if ident not in by_id]
    if unknown:
        raise Conflict(
            f"Not a deviation of the newest submission: {', '.join(unknown)}. It was pushed or submitted again while "
            "you looked: read get_review again.",
            code="deviations_moved",
            person_message="The change was pushed or submitted again while you looked. Load the page again.",
            deviations=unknown,
        )
    return [by_id[ident] for ident in dict.fromkeys(ids)]


def check_can_go_into_spec(deviations: Iterable[Deviation]) -> None:
    for entry in deviations:
        if entry.kind not in CAN_GO_INTO_SPEC or not entry.is_whole:
            raise BadField(
                "into_spec",
                f"no edit of the spec makes this good: {_named(entry)}. Accept it without, or edit the spec yourself.",
            )
