"""What is said of a submission's code, and when that is stale."""

import pytest

from pendesk.domain.checks import CheckTally, Rollup
from pendesk.domain.code_state import (
    CHECKS_SILENT_US,
    PULL_REQUEST_SILENT_US,
    CodeFacts,
    MergeState,
    Staleness,
    code_standing,
    merge_state_of,
)
from pendesk.domain.github import PullRequest

NOW = 10**15
HEAD, OTHER = "a" * 40, "b" * 40
URL = "https://github.com/acme/harbor/pull/7"
PULL = PullRequest("p", 7, URL, "Sign in", "open", "feature", HEAD, None, NOW, merge_state="clean", heard_at=NOW)
GREEN = CheckTally(passed=2, succeeded=2, newest_at=NOW)


def standing(now=NOW, **facts):
    known = {"pr_url": URL, "head_sha": HEAD, "pull_request": PULL, "checks": GREEN}
    return code_standing(CodeFacts(**{**known, "is_connected": True, "is_closed": False, **facts}), now)


def test_all_is_well():
    assert standing() == (Rollup.PASSED, MergeState.CLEAN, False, None)


@pytest.mark.parametrize(
    ("tally", "rollup"),
    [
        (CheckTally(), Rollup.NONE),
        (CheckTally(passed=3, newest_at=NOW), Rollup.NONE),  # all skipped: nothing was run
        (CheckTally(passed=3, succeeded=2, pending=1, newest_at=NOW), Rollup.PENDING),
        (CheckTally(passed=3, succeeded=3, pending=1, failed=1, newest_at=NOW), Rollup.FAILED),
    ],
)
def test_no_checks_are_never_passing_checks(tally, rollup):
    assert standing(checks=tally).checks == rollup


def test_a_head_that_was_not_submitted_has_parted():
    assert standing(pull_request=PULL._replace(head_sha=OTHER)).parted
    assert not standing(pull_request=PULL._replace(head_sha=OTHER), head_sha=None).parted
    assert not standing(pull_request=None).parted


def test_where_neither_a_webhook_nor_a_token_is_set_all_is_stale():
    assert standing(is_connected=False).stale == Staleness.NOT_CONNECTED
    assert standing(is_connected=False, pull_request=None, checks=CheckTally()).stale == Staleness.NOT_CONNECTED


def test_a_pull_request_that_github_never_reported_is_stale():
    assert standing(pull_request=None).stale == Staleness.NOT_REPORTED
    assert standing(pull_request=None, pr_url=None).stale is None


def test_an_open_pull_request_is_stale_after_a_silent_day():
    assert standing(NOW + PULL_REQUEST_SILENT_US).stale is None
    assert standing(NOW + PULL_REQUEST_SILENT_US + 1).stale == Staleness.SILENT


def test_a_word_about_its_checks_is_a_word_about_it():
    later = NOW + PULL_REQUEST_SILENT_US + 1
    assert standing(later, checks=GREEN._replace(newest_at=later)).stale is None


def test_a_pull_request_of_an_earlier_version_was_heard_when_it_was_updated():
    old = PULL._replace(heard_at=None, updated_at=NOW)
    assert standing(NOW + PULL_REQUEST_SILENT_US, pull_request=old).stale is None


def test_checks_that_run_for_hours_without_a_word_are_stale():
    running = CheckTally(pending=1, newest_at=NOW)
    assert standing(NOW + CHECKS_SILENT_US, checks=running).stale is None
    assert standing(NOW + CHECKS_SILENT_US + 1, checks=running).stale == Staleness.CHECKS_SILENT


@pytest.mark.parametrize("state", ["merged", "closed"])
def test_what_has_ended_is_not_stale_and_is_not_merged_any_more(state):
    ended = standing(NOW * 2, pull_request=PULL._replace(state=state), is_connected=False)
    assert (ended.stale, ended.merge_state) == (None, None)


def test_nobody_waits_for_what_is_closed():
    assert standing(NOW * 2, is_closed=True, is_connected=False).stale is None


def test_without_a_pull_request_checks_or_github_there_is_nothing_to_say():
    nothing = {"pr_url": None, "pull_request": None, "checks": CheckTally()}
    assert standing(is_connected=False, **nothing) is None
    assert standing(**nothing).checks == Rollup.NONE


@pytest.mark.parametrize(
    ("word", "state"),
    [("dirty", "dirty"), ("has_hooks", "clean"), ("draft", "blocked"), ("brand_new", "unknown"), (None, None)],
)
def test_github_s_word_on_merging_is_read(word, state):
    assert merge_state_of(word) == state


def test_of_a_pull_request_elsewhere_github_says_nothing():
    elsewhere = {"pr_url": "https://gitlab.com/a/b/-/merge_requests/7", "pull_request": None, "checks": CheckTally()}
    assert standing(is_connected=False, **elsewhere).stale is None
    assert standing(**elsewhere).stale is None
