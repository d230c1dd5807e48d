"""Checks and the evidence they are."""

import itertools

import pytest

from pendesk.domain.checks import CONCLUSIONS, CiCheck, roll_up_checks, state_from_conclusion, supersedes
from pendesk.domain.criterion import ORDER, Criterion, CriterionStatus, Evidence, EvidenceLevel
from pendesk.domain.evidence import criteria_needing_ci_evidence


def check(conclusion: str | None, at: int = 1, name: str = "build") -> CiCheck:
    return CiCheck("p", "s", name, state_from_conclusion(conclusion), None, at, conclusion)


def test_conclusions():
    assert (
        state_from_conclusion(None) == state_from_conclusion("") == state_from_conclusion("never heard of") == "pending"
    )
    assert {word for word, state in CONCLUSIONS.items() if state == "passed"} == {"success", "neutral", "skipped"}


def test_the_newest_wins_and_of_two_at_once_the_one_that_ended():
    assert supersedes(check(None), None)
    assert supersedes(check(None, 2), check("success", 1))
    assert not supersedes(check("failure", 1), check(None, 2))
    assert not supersedes(check(None), check("success"))
    assert supersedes(check("success"), check(None))
    assert supersedes(check("failure"), check("success"))


def test_all_together():
    green, red, running, skipped = check("success"), check("failure"), check(None), check("skipped")
    assert roll_up_checks([]) == roll_up_checks([skipped, check("neutral")]) == "none"
    assert roll_up_checks([green, skipped]) == "passed"
    assert roll_up_checks([green, running]) == "pending"
    for several in itertools.permutations([green, red, running, skipped]):
        assert roll_up_checks(list(several)) == "failed"


def criterion(status: str, revision: int = 1) -> Criterion:
    return Criterion(f"c-{status}", "a", 1, "text", CriterionStatus(status), revision, None)


def piece(one: Criterion, level: str = "ci", sha: str = "s", stale: str | None = None) -> Evidence:
    return Evidence("e", "a", one.id, one.revision, EvidenceLevel(level), sha, "", "s", None, 1, stale, None)


def test_ci_shows_what_is_implemented_and_only_once():
    every = [criterion(status) for status in ORDER]
    assert [one.status for one in criteria_needing_ci_evidence(every, [], "s")] == [
        "implemented",
        "validated",
        "confirmed",
    ]
    one = criterion("validated", revision=2)
    assert criteria_needing_ci_evidence([one], [piece(one)], "s") == []


@pytest.mark.parametrize(
    "shown", [{"level": "artifact"}, {"sha": "other"}, {"stale": "red"}], ids=["level", "sha", "stale"]
)
def test_other_evidence_does_not_stand_in_for_it(shown):
    one = criterion("validated", revision=2)
    assert criteria_needing_ci_evidence([one], [piece(one, **shown)], "s") == [one]
    assert criteria_needing_ci_evidence([one], [piece(one._replace(revision=1))], "s") == [one]
