"""Is there an order of these calls that explains what every caller was told?

Each call has a moment before it was made and one after its answer came. An order explains a history if it respects
those moments (a call that ended before another began comes first) and every answer is what the rules give in that
order. The search is the one of Wing and Gong, with memory of what has been tried.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple, TypeVar

S = TypeVar("S", bound=Hashable)


class Done(NamedTuple):
    """One call of a history. `asked` and `told` are what the rules look at."""

    began: int
    ended: int
    caller: str
    asked: str
    told: tuple[Hashable, ...]


def explains(history: Sequence[Done], state: S, step: Callable[[S, Done], S | None]) -> list[Done] | None:
    """An order that explains the history, or None. `step` gives the next state, or None where the answer is wrong."""
    calls = sorted(history)
    tried: set[tuple[int, S]] = set()
    # Each entry: which calls are placed (as bits), the state they lead to, the order so far.
    stack: list[tuple[int, S, tuple[int, ...]]] = [(0, state, ())]
    while stack:
        placed, here, order = stack.pop()
        if len(order) == len(calls):
            return [calls[index] for index in order]
        if (placed, here) in tried:
            continue
        tried.add((placed, here))
        for index in _may_come_next(calls, placed):
            following = step(here, calls[index])
            if following is not None:
                stack.append((placed | 1 << index, following, (*order, index)))
    return None


def _may_come_next(calls: list[Done], placed: int) -> list[int]:
    """Calls that began before any other open call had ended."""
    open_calls = [index for index in range(len(calls)) if not placed >> index & 1]
    first_end = min(calls[index].ended for index in open_calls)
    return [index for index in open_calls if calls[index].began <= first_end]


class Lease(NamedTuple):
    """An action as claiming and releasing see it while the clock stands still."""

    holder: str | None
    fence: int
    held_before: frozenset[str]


FREE = Lease(None, 0, frozenset())


def lease_step(lease: Lease, call: Done) -> Lease | None:
    told, after = claim(lease, call.caller) if call.asked == "claim" else release(lease, call.caller)
    return after if told == call.told else None


def claim(lease: Lease, caller: str) -> tuple[tuple[Hashable, ...], Lease]:
    if lease.holder == caller:
        return ("ok", lease.fence), lease
    if lease.holder is not None:
        return ("already_claimed",), lease
    fence = lease.fence + 1
    return ("ok", fence), Lease(caller, fence, lease.held_before | {caller})


def release(lease: Lease, caller: str) -> tuple[tuple[Hashable, ...], Lease]:
    if lease.holder == caller:
        return ("ok",), lease._replace(holder=None)
    if lease.holder is None:
        return ("not_claimed",), lease
    return ("claim_lost" if caller in lease.held_before else "held_by_another",), lease
