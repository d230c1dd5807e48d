"""Durations and totals."""

from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.insights import (
    AgentStats,
    AnsweredQuestion,
    DurationStats,
    FinishedAction,
    FirstSubmission,
    JudgedSubmission,
    agent_model_stats,
    agent_stats,
    cycle_time_stats,
    duration_stats,
    running_totals,
)
from tests.steps import count_steps


def test_no_durations():
    assert duration_stats([]) == DurationStats(0, 0, 0)


def test_the_middle_and_the_slow_end():
    assert duration_stats([5]) == DurationStats(1, 5, 5)
    assert duration_stats([4, 2]) == DurationStats(2, 3, 4)
    assert duration_stats(range(1, 11)) == DurationStats(10, 5, 9)
    assert duration_stats(range(1, 101)) == DurationStats(100, 50, 90)


@given(st.lists(st.integers(0, 10**12), min_size=1))
def test_the_median_is_not_past_the_slow_end_for_more_than_one_and_both_are_within(durations):
    found = duration_stats(durations)
    assert min(durations) <= found.median_us <= max(durations)
    assert sum(each <= found.p90_us for each in durations) >= 0.9 * len(durations)


def test_work_that_nobody_claimed_has_no_cycle():
    assert cycle_time_stats(
        [FinishedAction("a", None, 9, None, None), FinishedAction("b", 2, 9, None, None)]
    ) == DurationStats(1, 7, 7)


def test_models_by_how_much_they_did():
    finished = [
        FinishedAction("a", 0, 1, "Opus", None),
        FinishedAction("b", 0, 3, "Opus", None),
        FinishedAction("c", None, 1, None, None),
    ]
    reviews = [
        JudgedSubmission("approved", 5, 1, "Opus", None),
        JudgedSubmission("changes_requested", 5, 1, "Codex", None),
        JudgedSubmission("approved", 5, 2, "Codex", None),
    ]
    told = [
        (one.agent_model, one.done, one.cycle.sample_count, one.reviewed, one.passed)
        for one in agent_model_stats(finished, reviews)
    ]
    assert told == [("Opus", 2, 2, 1, 1), (None, 1, 0, 0, 0), ("Codex", 0, 0, 1, 0)]


def test_models_that_all_have_another_name_are_not_compared_with_each_other():
    finished = [FinishedAction("", 0, 1, f"model {number}", None) for number in range(2_000)]
    assert count_steps(lambda: agent_model_stats(finished, [])) < 20 * len(finished)


def test_totals_run_on():
    assert running_totals([7, 8, 9], 2, {7: 1, 9: 4}) == [3, 3, 7]


def test_agents_by_what_they_did():
    finished = [FinishedAction("a", 0, 9, None, "one"), FinishedAction("b", 0, 9, None, None)]
    reviews = [
        JudgedSubmission("changes_requested", 5, 1, None, "one"),
        JudgedSubmission("approved", 5, 2, None, "one"),
        JudgedSubmission("approved", 5, 1, None, "two"),
        JudgedSubmission("approved", 5, 1, None, None),
    ]
    submissions = [FirstSubmission("one", 4), FirstSubmission("one", None), FirstSubmission("three", 6)]
    questions = [AnsweredQuestion(7, "one"), AnsweredQuestion(2, None), AnsweredQuestion(3, "four")]
    assert agent_stats(finished, reviews, submissions, questions) == [
        AgentStats("one", 1, DurationStats(1, 4, 4), 1, 0, 1, 3, 17),
        AgentStats("two", 0, DurationStats(0, 0, 0), 1, 1, 0, 1, 5),
        AgentStats("four", 0, DurationStats(0, 0, 0), 0, 0, 0, 1, 3),
        AgentStats("three", 0, DurationStats(1, 6, 6), 0, 0, 0, 0, 0),
    ]
