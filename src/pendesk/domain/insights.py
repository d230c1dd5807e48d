"""What the past tells: how long work takes, how long it waits for people, how often it is right the first time."""

from collections.abc import Iterable
from typing import NamedTuple


class Finished(NamedTuple):
    """An action that is done. `started_at` is its first claim's; work without a claim has none."""

    action_id: str
    started_at: int | None
    done_at: int
    agent_model: str | None


class FirstReview(NamedTuple):
    """The review of a first submission; later ones had changes requested before."""

    agent_model: str | None
    verdict: str


class Spread(NamedTuple):
    """Middle and slow end of a number of durations, in microseconds."""

    number: int
    median_us: int
    p90_us: int


class ModelRecord(NamedTuple):
    agent_model: str | None
    done: int
    cycle: Spread
    reviewed: int
    passed: int


def spread(durations: Iterable[int]) -> Spread:
    ordered = sorted(durations)
    if not ordered:
        return Spread(0, 0, 0)
    middle = len(ordered) // 2
    median = ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) // 2
    return Spread(len(ordered), median, ordered[-(-len(ordered) * 9 // 10) - 1])


def cycle(finished: Iterable[Finished]) -> Spread:
    """From the first claim to done: waiting, questions and rework included, since people wait for all of it."""
    return spread(action.done_at - action.started_at for action in finished if action.started_at is not None)


def by_model(finished: list[Finished], reviews: list[FirstReview]) -> list[ModelRecord]:
    """Those with most work first. None is work by hand, or by an agent that did not say what it is."""
    done: dict[str | None, list[Finished]] = {}
    verdicts: dict[str | None, list[str]] = {}
    for action in finished:
        done.setdefault(action.agent_model, []).append(action)
    for review in reviews:
        verdicts.setdefault(review.agent_model, []).append(review.verdict)
    records = [_record(model, done.get(model, []), verdicts.get(model, [])) for model in {**done, **verdicts}]
    return sorted(records, key=lambda record: (-record.done, -record.reviewed, record.agent_model or "~"))


def _record(model: str | None, finished: list[Finished], verdicts: list[str]) -> ModelRecord:
    return ModelRecord(model, len(finished), cycle(finished), len(verdicts), verdicts.count("approved"))


def burn_up(days: Iterable[int], before: int, changes: dict[int, int]) -> list[int]:
    """The running total at the end of each day, of what was `before` the first and what each day added."""
    total = before
    totals = []
    for day in days:
        total += changes.get(day, 0)
        totals.append(total)
    return totals
