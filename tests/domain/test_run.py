"""Agent runs: when one is stale, who may end it, and money without rounding surprises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.errors import HeldByAnother, RuleBroken
from pendesk.domain.limits import RUN_COST, RUN_STALE_US
from pendesk.domain.run import (
    AgentRun,
    RunStatus,
    check_may_report_progress,
    check_user_may_complete_run,
    cost_from_micros,
    cost_to_micros,
    run_status_or_stale,
)
from tests.refusals import refused

RUN = AgentRun("r", "p", None, "ada", "Run", None, RunStatus.RUNNING, None, None, None, 0, 0, None)


def test_silence_makes_it_stale_and_an_end_does_not():
    assert run_status_or_stale(RUN, RUN_STALE_US - 1) == "running"
    assert run_status_or_stale(RUN, RUN_STALE_US) == "stale"
    assert run_status_or_stale(RUN._replace(last_at=1), RUN_STALE_US) == "running"
    assert run_status_or_stale(RUN._replace(status=RunStatus.FAILED), RUN_STALE_US) == "failed"
    assert run_status_or_stale(RUN, -1) == "running"  # a clock that went back


def test_its_own_user_reports_and_ends_it():
    check_may_report_progress(RUN, "ada")
    check_user_may_complete_run(RUN, "ada", 0)
    with refused(HeldByAnother):
        check_may_report_progress(RUN, "bob")
    with refused(HeldByAnother):
        check_user_may_complete_run(RUN, "bob", 0)
    check_user_may_complete_run(RUN, "bob", RUN_STALE_US)


@pytest.mark.parametrize("ended", ["completed", "failed"])
def test_what_has_ended_stays_so(ended):
    for check in (check_may_report_progress, lambda run, user: check_user_may_complete_run(run, user, 0)):
        with refused(RuleBroken, "run_ended"):
            check(RUN._replace(status=ended), "ada")


@given(st.integers(0, RUN_COST * 100))
def test_cents_come_back_as_they_went_in(cents):
    assert cost_from_micros(cost_to_micros(cents / 100)) == cents / 100
    assert cost_from_micros(cost_to_micros(None)) is None
