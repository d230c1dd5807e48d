"""Whether two actions touch the same files: the one rule, for claims, the order of work, pushes, cards and refusals.

At work is what somebody holds by a live claim, and what is submitted and not approved yet: its code is not where others
begin, so it collides all the same. An expired claim is not at work, whoever may resume it. What a session holds or has
submitted itself never stands in its own way.

What is known of an action: the paths that its newest change touches, or its commits where it has none; and the globs
that it declares. Of an action that has neither, the paths that others of the same spec and area have changed are likely
ones: a guess, which is told and never refuses anything. Two guesses are no overlap.
"""

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from pendesk.domain.action import SUBMITTED, ActionState
from pendesk.domain.limits import OVERLAP_PATHS_SAVED
from pendesk.domain.path_globs import globs_may_overlap, matches


def is_at_work(state: ActionState, has_live_lease: bool) -> bool:
    return state in SUBMITTED or (state == ActionState.IN_PROGRESS and has_live_lease)


class Basis(StrEnum):
    """How it is known: both have changed the files, at least one only says that it will, or it is a guess."""

    CHANGED = "changed"
    DECLARED = "declared"
    LIKELY = "likely"


class KnownPaths(NamedTuple):
    """`likely` counts only where the others are empty."""

    changed: frozenset[str] = frozenset()
    declared: tuple[str, ...] = ()
    likely: frozenset[str] = frozenset()

    @property
    def is_known(self) -> bool:
        return bool(self.changed or self.declared)


class Overlap(NamedTuple):
    """`paths`: the first of `file_count`, sorted; globs where nothing was changed yet."""

    basis: Basis
    paths: tuple[str, ...]
    file_count: int


def find_overlap(first: KnownPaths, second: KnownPaths) -> Overlap | None:
    if first.is_known and second.is_known:
        return _known_overlap(first, second)
    if first.is_known or second.is_known:
        known, guessed = (first, second) if first.is_known else (second, first)
        return _overlap(Basis.LIKELY, (known.changed & guessed.likely) | _matching(known.declared, guessed.likely))
    return None


def _known_overlap(first: KnownPaths, second: KnownPaths) -> Overlap | None:
    both_changed = first.changed & second.changed
    if both_changed:
        return _overlap(Basis.CHANGED, both_changed)
    declared = _matching(first.declared, second.changed) | _matching(second.declared, first.changed)
    if not declared and not (first.changed and second.changed):
        # Where both have begun, what they did says more than two globs that meet somewhere.
        declared = {glob for glob in first.declared if any(globs_may_overlap(glob, other) for other in second.declared)}
    return _overlap(Basis.DECLARED, declared)


def _overlap(basis: Basis, paths: Collection[str]) -> Overlap | None:
    return Overlap(basis, tuple(sorted(paths)[:OVERLAP_PATHS_SAVED]), len(paths)) if paths else None


def _matching(globs: Iterable[str], paths: frozenset[str]) -> set[str]:
    return {path for glob in globs for path in _paths_of_glob(glob, paths)} if paths else set()


@lru_cache(maxsize=1_000)  # a list compares many actions with the same few at work
def _paths_of_glob(glob: str, paths: frozenset[str]) -> frozenset[str]:
    return frozenset(path for path in paths if matches(glob, path))


def surest(overlaps: Mapping[str, Overlap], limit: int) -> dict[str, Overlap]:
    """The first of many, by what they overlap with."""
    order = list(Basis)
    ordered = sorted(overlaps.items(), key=lambda item: (order.index(item[1].basis), -item[1].file_count, item[0]))
    return dict(ordered[:limit])


def is_news(before: Overlap | None, overlap: Overlap) -> bool:
    """Whether agents that were told of an earlier one, or of none, are to be told again: it has more files. A guess is
    for who claims, and no news to others.
    """
    if overlap.basis == Basis.LIKELY:
        return False
    return before is None or overlap.file_count > before.file_count or not set(overlap.paths) <= set(before.paths)
