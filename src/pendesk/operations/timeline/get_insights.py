"""get_insights: burn-up, cycle time, time spent waiting for people, and what passes review the first time."""

from collections import Counter
from typing import Annotated

from msgspec import Meta

from pendesk.clock import MICROSECONDS, to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.availability import Availability, NotReadyReason
from pendesk.domain.insights import (
    AgentModelStats,
    AgentStats,
    DurationStats,
    agent_model_stats,
    agent_stats,
    cycle_time_stats,
    duration_stats,
    running_totals,
)
from pendesk.domain.limits import DAY_US, INSIGHT_ACTIONS, INSIGHT_AGENTS, INSIGHT_DAYS, INSIGHT_MODELS
from pendesk.operations.availability import relate
from pendesk.operations.fields import Ident
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.projects.find import find_project
from pendesk.store import availability as standings
from pendesk.store import insights, tallies


class GetInsights(Input):
    project_id: Annotated[Ident, Meta(description="Only this project: its pid or key.")] | None = None
    days: Annotated[int, Meta(ge=1, le=INSIGHT_DAYS, description="How far to look back, today included.")] = 30


class DayRow(Output):
    """At the end of the day (UTC): how much there was to do in all, and how much of it was done."""

    day: str
    scope: int
    done: int


class Durations(Output):
    count: int
    median_seconds: int
    p90_seconds: int


class FirstPass(Output):
    """Of the actions reviewed for the first time, how many were approved at once."""

    reviewed: int
    passed: int


class ModelRow(Output):
    """agentModel null: by hand, or by an agent that did not say what it is."""

    agent_model: str | None
    done: int
    cycle: Durations
    first_pass: FirstPass


class AgentRow(Output):
    """submit: from its claim to the first submission. reworks: how often changes were requested of it. waits: how often
    it waited for people, for an answer or a review, and waited_seconds: how long in all.
    """

    pid: str
    name: str
    user: str
    done: int
    submit: Durations
    first_pass: FirstPass
    reworks: int
    waits: int
    waited_seconds: int


class AvailabilityCount(Output):
    availability: str
    count: int
    not_ready_reason: str | None = None


class Insights(Output):
    """cycle: from the first claim to done. answers, reviews: how long agents waited for people. open: how the actions
    that are not done or dropped stand now. newest_only: where more were finished than these, all but the days is of
    the newest so many.
    """

    since: str
    days: list[DayRow]
    cycle: Durations
    answers: Durations
    reviews: Durations
    first_pass: FirstPass
    models: list[ModelRow]
    agents: list[AgentRow]
    open: list[AvailabilityCount]
    newest_only: int | None = None


def run(call: Call, args: GetInsights) -> Insights:
    project_id = find_project(call, args.project_id).id if args.project_id is not None else ""
    last = call.now // DAY_US
    days = range(last - args.days + 1, last + 1)
    since = days[0] * DAY_US
    action_ids = insights.action_ids_to_look_at(call.tx, project_id, since, INSIGHT_ACTIONS)
    finished = insights.finished_actions(call.tx, action_ids, since)
    reviews = insights.reviews(call.tx, action_ids, since)
    questions = insights.answered_questions(call.tx, action_ids, since)
    first_reviews = [review for review in reviews if review.is_first]
    return Insights(
        since=to_iso(since),
        days=_day_rows(call, project_id, days),
        cycle=_durations_result(cycle_time_stats(finished)),
        answers=_durations_result(duration_stats(question.wait_us for question in questions)),
        reviews=_durations_result(duration_stats(review.wait_us for review in reviews)),
        first_pass=FirstPass(reviewed=len(first_reviews), passed=sum(review.is_approved for review in first_reviews)),
        models=[_agent_model_row(record) for record in agent_model_stats(finished, reviews)[:INSIGHT_MODELS]],
        agents=_agent_rows(
            call,
            agent_stats(finished, reviews, insights.first_submissions_of_agents(call.tx, action_ids, since), questions),
        ),
        open=_open_counts(call, project_id),
        newest_only=INSIGHT_ACTIONS if len(finished) >= INSIGHT_ACTIONS else None,
    )


def _day_rows(call: Call, project_id: str, days: range) -> list[DayRow]:
    """What was dropped is to be done no longer from that day on."""
    counts = tallies.by_kind_and_day(call.tx, project_id, days[0])
    added = {day: counts.get(("made", day), 0) - counts.get(("wont_do", day), 0) for day in (0, *days)}
    done = {day: counts.get(("done", day), 0) for day in (0, *days)}
    scope_totals, done_totals = running_totals(days, added[0], added), running_totals(days, done[0], done)
    return [
        DayRow(day=to_iso(day * DAY_US)[:10], scope=scope, done=finished)
        for day, scope, finished in zip(days, scope_totals, done_totals, strict=True)
    ]


def _open_counts(call: Call, project_id: str) -> list[AvailabilityCount]:
    rows = relate(call, standings.open_of_project(call.tx, project_id, call.actor.user_id))
    counts = Counter((action.availability, action.reason) for action in rows)
    return [
        AvailabilityCount(availability=state, not_ready_reason=reason, count=counts[state, reason])
        for state in Availability
        for reason in (None, *NotReadyReason)
        if counts[state, reason]
    ]


def _agent_rows(call: Call, stats: list[AgentStats]) -> list[AgentRow]:
    records = stats[:INSIGHT_AGENTS]
    names = insights.agent_and_user_name_by_id(call.tx, [record.agent_id for record in records])
    return [_agent_row(record, *names[record.agent_id]) for record in records]


def _agent_row(stats: AgentStats, name: str, user: str) -> AgentRow:
    return AgentRow(
        pid=stats.agent_id,
        name=name,
        user=user,
        done=stats.done,
        submit=_durations_result(stats.submit),
        first_pass=FirstPass(reviewed=stats.reviewed, passed=stats.passed),
        reworks=stats.reworks,
        waits=stats.waits,
        waited_seconds=stats.waited_us // MICROSECONDS,
    )


def _durations_result(stats: DurationStats) -> Durations:
    return Durations(
        count=stats.sample_count,
        median_seconds=stats.median_us // MICROSECONDS,
        p90_seconds=stats.p90_us // MICROSECONDS,
    )


def _agent_model_row(stats: AgentModelStats) -> ModelRow:
    return ModelRow(
        agent_model=stats.agent_model,
        done=stats.done,
        cycle=_durations_result(stats.cycle),
        first_pass=FirstPass(reviewed=stats.reviewed, passed=stats.passed),
    )


OPERATION = Operation(
    name="get_insights",
    title="How the work goes",
    description=(
        "Burn-up by day, cycle time (first claim to done), how long agents waited for answers and reviews, the share "
        "that passed review the first time; also by agent and by agent model; and how the open actions stand now. For "
        "one project or all. Refused: 404 no such project."
    ),
    input=GetInsights,
    output=Insights,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.HEAVY_READ,
    run=run,
)
