"""What the past tells: how long work takes, how long it waits for people, how often it is right the first time."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple


class FinishedAction(NamedTuple):
    """An action that is done. `started_at` is when it was claimed first; work without a claim has none. `agent_id` is
    null where a person did it.
    """

    action_id: str
    started_at: int | None
    done_at: int
    agent_model: str | None
    agent_id: str | None


class JudgedSubmission(NamedTuple):
    """A review, and what it judged. `wait_us` is from the submission to the review. Without an agent: by a person."""

    verdict: str
    wait_us: int
    number: int
    agent_model: str | None
    agent_id: str | None

    @property
    def is_first(self) -> bool:
        """Later ones had changes requested before."""
        return self.number == 1

    @property
    def is_approved(self) -> bool:
        return self.verdict == "approved"


class FirstSubmission(NamedTuple):
    """How long it took from the claim; None where the log does not say, as of an imported project."""

    agent_id: str
    submit_us: int | None


class AnsweredQuestion(NamedTuple):
    """How long the answer took. Without an agent: a person asked, or it is not known which agent did."""

    wait_us: int
    agent_id: str | None


class DurationStats(NamedTuple):
    """Middle and slow end of a number of durations, in microseconds."""

    sample_count: int
    median_us: int
    p90_us: int


class AgentModelStats(NamedTuple):
    agent_model: str | None
    done: int
    cycle: DurationStats
    reviewed: int
    passed: int


class AgentStats(NamedTuple):
    """reworks: how often changes were requested of it. waits: how often people kept it waiting, for an answer or a
    review, and waited_us: how long in all.
    """

    agent_id: str
    done: int
    submit: DurationStats
    reviewed: int
    passed: int
    reworks: int
    waits: int
    waited_us: int


def duration_stats(durations: Iterable[int]) -> DurationStats:
    ordered = sorted(durations)
    if not ordered:
        return DurationStats(0, 0, 0)
    middle = len(ordered) // 2
    median = ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) // 2
    return DurationStats(len(ordered), median, ordered[-(-len(ordered) * 9 // 10) - 1])


def cycle_time_stats(finished: Iterable[FinishedAction]) -> DurationStats:
    """From the first claim to done: waiting, questions and rework included, since people wait for all of it."""
    return duration_stats(action.done_at - action.started_at for action in finished if action.started_at is not None)


def agent_model_stats(finished: list[FinishedAction], reviews: list[JudgedSubmission]) -> list[AgentModelStats]:
    """Those with most work first. None is work by hand, or by an agent that did not say what it is."""
    done: dict[str | None, list[FinishedAction]] = {}
    verdicts: dict[str | None, list[str]] = {}
    for action in finished:
        done.setdefault(action.agent_model, []).append(action)
    for review in reviews:
        if review.is_first:
            verdicts.setdefault(review.agent_model, []).append(review.verdict)
    records = [
        _stats_of_agent_model(model, done.get(model, []), verdicts.get(model, [])) for model in {**done, **verdicts}
    ]
    return sorted(records, key=lambda record: (-record.done, -record.reviewed, record.agent_model or "~"))


def _stats_of_agent_model(model: str | None, finished: list[FinishedAction], verdicts: list[str]) -> AgentModelStats:
    return AgentModelStats(model, len(finished), cycle_time_stats(finished), len(verdicts), verdicts.count("approved"))


def agent_stats(
    finished: list[FinishedAction],
    reviews: list[JudgedSubmission],
    first_submissions: list[FirstSubmission],
    questions: list[AnsweredQuestion],
) -> list[AgentStats]:
    """Those with most work first. What people did in person is nobody's here."""
    done = Counter(action.agent_id for action in finished if action.agent_id is not None)
    by_agents = [(review.agent_id, review) for review in reviews if review.agent_id is not None]
    first = Counter(agent_id for agent_id, review in by_agents if review.is_first)
    passed = Counter(agent_id for agent_id, review in by_agents if review.is_first and review.is_approved)
    reworks = Counter(agent_id for agent_id, review in by_agents if review.verdict == "changes_requested")
    submit_us: dict[str, list[int]] = {submission.agent_id: [] for submission in first_submissions}
    for submission in first_submissions:
        submit_us[submission.agent_id] += [submission.submit_us] if submission.submit_us is not None else []
    waits_us: dict[str, list[int]] = {}
    for agent_id, wait_us in [
        *((agent_id, review.wait_us) for agent_id, review in by_agents),
        *((question.agent_id, question.wait_us) for question in questions if question.agent_id is not None),
    ]:
        waits_us.setdefault(agent_id, []).append(wait_us)
    agent_ids = {*done, *submit_us, *waits_us}
    records = [
        AgentStats(
            agent_id,
            done[agent_id],
            duration_stats(submit_us.get(agent_id, [])),
            first[agent_id],
            passed[agent_id],
            reworks[agent_id],
            len(waits_us.get(agent_id, ())),
            sum(waits_us.get(agent_id, ())),
        )
        for agent_id in agent_ids
    ]
    return sorted(records, key=lambda record: (-record.done, -record.reviewed, record.agent_id))


def running_totals(days: Iterable[int], initial_total: int, added_by_day: dict[int, int]) -> list[int]:
    """The running total at the end of each day, from `initial_total` on."""
    total = initial_total
    totals = []
    for day in days:
        total += added_by_day.get(day, 0)
        totals.append(total)
    return totals
