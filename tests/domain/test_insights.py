"""Durations and totals."""

from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.insights import Finished, FirstReview, Spread, burn_up, by_model, cycle, spread
from tests.steps import count_steps


def test_no_durations():
    assert spread([]) == Spread(0, 0, 0)


def test_the_middle_and_the_slow_end():
    assert spread([5]) == Spread(1, 5, 5)
    assert spread([4, 2]) == Spread(2, 3, 4)
    assert spread(range(1, 11)) == Spread(10, 5, 9)
    assert spread(range(1, 101)) == Spread(100, 50, 90)


@given(st.lists(st.integers(0, 10**12), min_size=1))
def test_the_median_is_not_past_the_slow_end_for_more_than_one_and_both_are_within(durations):
    found = spread(durations)
    assert min(durations) <= found.median_us <= max(durations)
    assert sum(each <= found.p90_us for each in durations) >= 0.9 * len(durations)


def test_work_that_nobody_claimed_has_no_cycle():
    assert cycle([Finished("a", None, 9, None), Finished("b", 2, 9, None)]) == Spread(1, 7, 7)


def test_models_by_how_much_they_did():
    finished = [Finished("a", 0, 1, "Opus"), Finished("b", 0, 3, "Opus"), Finished("c", None, 1, None)]
    reviews = [FirstReview("Opus", "approved"), FirstReview("Codex", "changes_requested")]
    told = [
        (one.agent_model, one.done, one.cycle.number, one.reviewed, one.passed) for one in by_model(finished, reviews)
    ]
    assert told == [("Opus", 2, 2, 1, 1), (None, 1, 0, 0, 0), ("Codex", 0, 0, 1, 0)]


def test_models_that_all_have_another_name_are_not_compared_with_each_other():
    finished = [Finished("", 0, 1, f"model {number}") for number in range(2_000)]
    assert count_steps(lambda: by_model(finished, [])) < 20 * len(finished)


def test_totals_run_on():
    assert burn_up([7, 8, 9], 2, {7: 1, 9: 4}) == [3, 3, 7]
