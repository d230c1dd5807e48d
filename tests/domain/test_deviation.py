"""Where a submission departs from what was agreed."""

from itertools import count

import pytest

from pendesk.domain.change import ChangeFile, FileKind, FileStatus
from pendesk.domain.dependencies import AddedDependency
from pendesk.domain.deviation import (
    DEVIATION_WORDS,
    CommandResult,
    Departure,
    DeviationKind,
    DeviationState,
    ServedCommit,
    SubmittedScope,
    check_none_open,
    departures,
    dependency_name,
    describe_deviations,
    to_deviations,
)
from pendesk.domain.errors import RuleBroken
from pendesk.domain.limits import DEVIATION_SUBJECTS, GLOB_WILDCARDS
from pendesk.domain.report import Outcome
from pendesk.domain.scope_rules import read_rules
from tests.steps import count_steps


def file(path, status=FileStatus.MODIFIED, old_path=None):
    return ChangeFile("c", "change", 0, path, old_path, status, FileKind.TEXT, 1, 1, None, None, None, "d", 0, 1)


def scope(*rules, **fields):
    return SubmittedScope(**{"paths": [], "rules": read_rules(rules), "commands": [], **fields})


def told(given):
    return [(entry.kind.value, entry.subjects) for entry in departures(given)]


def recorded(*entries, present=(), accepted=()):
    ids = map(str, count(1))
    return to_deviations("a", "s", [Departure(*entry) for entry in entries], present, accepted, lambda: next(ids))


def test_what_is_moved_is_touched_where_it_was_and_a_copy_only_where_it_is():
    files = [file("b.py", FileStatus.RENAMED, "x/a.py"), file("c.py", FileStatus.COPIED, "x/d.py")]
    assert told(scope("{forbid: x}", files=files)) == [("forbidden_path", ["x/a.py"])]


def test_a_required_file_is_added_or_changed_and_not_deleted_or_excepted():
    rule = "{require: tests/**, CHANGELOG.md, !tests/data/**}"
    files = [file("tests/data/x"), file("CHANGELOG.md", FileStatus.DELETED)]
    assert told(scope(rule, files=files)) == [("required_path_unchanged", ["tests/**", "CHANGELOG.md"])]
    assert told(scope(rule, files=[file("tests/a.py"), file("CHANGELOG.md", FileStatus.ADDED)])) == []


def test_the_last_result_of_a_command_counts_whatever_its_blanks():
    rule = "{run: make   lint}"
    results = [
        CommandResult("s", 0, "make lint", Outcome.FAILED, ""),
        CommandResult("s", 1, "make lint ", Outcome.PASSED, ""),
    ]
    assert told(scope(rule, commands=results)) == []
    assert told(scope(rule, commands=results[:1])) == [("command_failed", ["make   lint"])]
    assert told(scope(rule)) == [("command_not_reported", ["make   lint"])]


def test_only_dependencies_that_a_rule_covers_are_told_and_what_is_unsure_is_called_so():
    added = [AddedDependency("left-pad", "package.json", True), AddedDependency("httpx", "web/package.json", False)]
    assert told(scope("{no-dependencies: left-pad}", files=[], dependencies=added)) == [
        ("dependency_added", ["left-pad in package.json"])
    ]
    ((_, subjects),) = told(scope("{no-dependencies: !left-pad}", files=[], dependencies=added))
    assert subjects == ["httpx in web/package.json (its section is not in the diff)"]
    assert [dependency_name(subject) for subject in [*subjects, "? in x (its lines were not pushed)"]] == [
        "httpx",
        None,
    ]


def test_commits_are_told_only_where_there_are_criteria():
    assert told(scope(commits=[ServedCommit("a" * 40, ["c"]), ServedCommit("b" * 40, [])])) == [
        ("commit_without_criterion", ["b" * 40])
    ]
    assert told(scope(commits=None)) == []


def test_what_is_the_same_stays_and_what_is_new_is_another():
    first = recorded((DeviationKind.OUTSIDE_PATHS, None, ["a", "b"]))
    requested = [first[0]._replace(state=DeviationState.REQUESTED, id="old")]
    same = recorded((DeviationKind.OUTSIDE_PATHS, None, ["a", "b"]), present=requested)
    assert same == requested
    (other,) = recorded((DeviationKind.OUTSIDE_PATHS, None, ["a", "c"]), present=requested)
    assert (other.id, other.state) == ("1", DeviationState.OPEN)


@pytest.mark.parametrize(
    ("subjects", "state"),
    [(["a"], "accepted"), (["a", "b"], "accepted"), (["a", "b", "c"], "accepted"), (["a", "d"], "open")],
)
def test_what_was_accepted_in_any_submission_is_accepted_again(subjects, state):
    decided = {"state": DeviationState.ACCEPTED, "decided_by": "ada", "decided_at": 7}
    accepted = [
        entry._replace(**decided)
        for entry in recorded(
            (DeviationKind.FORBIDDEN_PATH, "r", ["b", "c"]), (DeviationKind.FORBIDDEN_PATH, "r", ["a"])
        )
    ]
    (same,) = recorded((DeviationKind.FORBIDDEN_PATH, "r", subjects), accepted=accepted)
    assert (same.state, same.decided_by) == (state, "ada" if state == "accepted" else None)
    (other,) = recorded((DeviationKind.FORBIDDEN_PATH, "another rule", ["a"]), accepted=accepted)
    assert other.state == DeviationState.OPEN


def test_subjects_beyond_those_that_are_kept_are_never_taken_for_accepted():
    many = [str(number) for number in range(DEVIATION_SUBJECTS + 1)]
    (kept,) = recorded((DeviationKind.OUTSIDE_PATHS, None, many))
    assert (len(kept.subject_list), kept.total, kept.is_whole) == (DEVIATION_SUBJECTS, DEVIATION_SUBJECTS + 1, False)
    (again,) = recorded(
        (DeviationKind.OUTSIDE_PATHS, None, many), accepted=[kept._replace(state=DeviationState.ACCEPTED)]
    )
    assert again.state == DeviationState.OPEN


def test_approving_names_what_is_open():
    deviations = recorded(
        (DeviationKind.OUTSIDE_PATHS, None, list("abcdefg")), (DeviationKind.COMMAND_FAILED, "r", ["make"])
    )
    with pytest.raises(RuleBroken, match=r"\(a, b, c, d, e and 2 more\); a required command failed \(make\)"):
        check_none_open(deviations)
    check_none_open([entry._replace(state=DeviationState.ACCEPTED) for entry in deviations])


def test_every_kind_has_words():
    assert set(DEVIATION_WORDS) == set(DeviationKind)
    assert describe_deviations([]) == "none"


def test_a_hundred_thousand_files_are_compared_each_in_as_many_steps_as_a_few():
    def given(number):
        files = [file(f"src/part{place % 97}/file{place}.py") for place in range(number)]
        return scope("{forbid: docs/**}", "{require: CHANGELOG.md}", files=files, paths=["src/**", "**/*.md"])

    few, more = given(100), given(1_000)
    assert count_steps(lambda: departures(more)) < 12 * count_steps(lambda: departures(few))
    assert [entry.kind for entry in departures(given(100_000))] == [DeviationKind.REQUIRED_PATH_UNCHANGED]


def test_globs_made_to_explode_take_steps_that_grow_with_the_paths_alone():
    bomb = "**/" + "*a" * (GLOB_WILDCARDS - 2) + "b"
    rules = [f"{{forbid: {', '.join(f'{bomb}{place}' for place in range(10))}}}"]
    files = [file("a" * length + "/" + "a" * 400) for length in range(1, 21)]
    steps = count_steps(lambda: departures(scope(*rules, files=files)))
    characters = sum(len(entry.path) for entry in files)
    assert steps < 20 * 10 * characters
