"""Globs over the paths of a repository: the one rule for the paths of an action, for scope rules and for overlaps.

A glob is read from the root of the repository. `*` and `?` stay within a name, `**` stands for any number of folders,
none included. A glob whose last name is plain (`src/billing`, `src/billing/`) also means all that is below it. Capitals
matter; every other character stands for itself.

A path is read once, whatever the glob: all the places of the glob that fit so far are kept as the bits of a number, so
that no glob can be made to take more than a few steps for each character of a path.
"""

from functools import lru_cache
from typing import NamedTuple

ANY_FOLDERS = "**"
STEPS_KEPT = 2_000  # of each glob: the paths of a repository are much alike


class _Automaton(NamedTuple):
    """One bit for each place of a glob. `needle`: without it in a path there is no match."""

    needle: str
    accepted: int
    moves: dict[str, int]  # what a character moves on, by character
    any_moves: int  # what every character but a slash moves on
    stars: int  # where every character but a slash stays, and which may stand for nothing
    folders: int  # places of `**` before more, which may stand for no folder
    stays: int  # where every character stays: of any `**`
    whole_end: int  # the place of a `**` at the end: from there on all fits
    steps: dict[tuple[int, str], int]  # those that were made before


def matches(glob: str, path: str) -> bool:
    machine = _automaton(glob)
    if machine is None or machine.needle not in path:
        return False
    places, steps = _skipped(machine, 1), machine.steps
    for char in path:
        after = steps.get((places, char))
        if after is None:
            after = _step(machine, places, char)
            if len(steps) < STEPS_KEPT:
                steps[places, char] = after
        places = after
        if not places or places & machine.whole_end:
            return bool(places)
    return bool(places & machine.accepted)


def _step(machine: _Automaton, places: int, char: str) -> int:
    moved = places & machine.moves.get(char, 0)
    stays = places & machine.stays
    if char != "/":
        moved |= places & machine.any_moves
        stays |= places & machine.stars
    # What stays at a `**` has no skip: it goes on at a slash alone.
    return _skipped(machine, moved << 1) | stays | (stays & machine.stars) << 1


def globs_may_overlap(a: str, b: str) -> bool:
    """Whether some path may match both. Two names with wildcards are compared by how they begin and end alone."""
    first, second = _segments(a), _segments(b)
    if not first or not second:
        return False
    todo, seen = [(0, 0)], {(0, 0)}
    while todo:
        i, j = todo.pop()
        if i == len(first) and j == len(second):
            return True
        for following in _following(first, second, i, j):
            if following not in seen:
                seen.add(following)
                todo.append(following)
    return False


def _following(first: tuple[str, ...], second: tuple[str, ...], i: int, j: int) -> list[tuple[int, int]]:
    left = first[i] if i < len(first) else None
    right = second[j] if j < len(second) else None
    following = []
    if left == ANY_FOLDERS:
        following.append((i + 1, j))
        if right is not None:
            following.append((i, j + 1))
    if right == ANY_FOLDERS:
        following.append((i, j + 1))
        if left is not None:
            following.append((i + 1, j))
    if left is not None and right is not None and ANY_FOLDERS not in (left, right) and _names_may_meet(left, right):
        following.append((i + 1, j + 1))
    return following


def _names_may_meet(left: str, right: str) -> bool:
    if not _is_wild(left):
        return left == right or (_is_wild(right) and matches(right, left))
    if not _is_wild(right):
        return matches(left, right)
    if "*" not in left and "*" not in right and len(left) != len(right):
        return False
    heads = zip(left.partition("*")[0], right.partition("*")[0], strict=False)
    tails = zip(reversed(left.rpartition("*")[2]), reversed(right.rpartition("*")[2]), strict=False)
    return all(x == y or "?" in (x, y) for pair in (heads, tails) for x, y in pair)


def _is_wild(name: str) -> bool:
    return "*" in name or "?" in name


@lru_cache(maxsize=1024)
def _segments(glob: str) -> tuple[str, ...]:
    """The names of a glob, with `**` at the end where it means all that is below. Empty for a blank glob."""
    if not glob.strip():
        return ()
    segments: list[str] = []
    for name in glob.split("/"):
        if name in ("", "."):
            continue
        segment = ANY_FOLDERS if len(name) > 1 and not name.strip("*") else _single_stars(name)
        if segment != ANY_FOLDERS or segments[-1:] != [ANY_FOLDERS]:
            segments.append(segment)
    if segments[-1:] != [ANY_FOLDERS] and (not segments or glob.endswith("/") or not _is_wild(segments[-1])):
        segments.append(ANY_FOLDERS)
    return tuple(segments)


def _single_stars(name: str) -> str:
    while ANY_FOLDERS in name:
        name = name.replace(ANY_FOLDERS, "*")
    return name


@lru_cache(maxsize=1024)
def _automaton(glob: str) -> _Automaton | None:
    segments = _segments(glob)
    if not segments:
        return None
    *leading, last = segments
    tokens: list[str] = []
    for segment in leading:
        tokens += [ANY_FOLDERS] if segment == ANY_FOLDERS else [*segment, "/"]
    accepted = 0
    if last != ANY_FOLDERS:
        tokens += last
    elif tokens:  # the folder itself, or all that follows its slash
        accepted = 1 << len(tokens) - 1
    whole_end = 1 << len(tokens) if last == ANY_FOLDERS else 0
    moves: dict[str, int] = {}
    for place, token in enumerate(tokens):
        if token not in ("*", "?"):
            char = "/" if token == ANY_FOLDERS else token
            moves[char] = moves.get(char, 0) | 1 << place
    folders = _places(tokens, ANY_FOLDERS)
    return _Automaton(
        needle=max((part for name in segments for part in name.replace("?", "*").split("*")), key=len),
        accepted=accepted | 1 << len(tokens),
        moves=moves,
        any_moves=_places(tokens, "?"),
        stars=_places(tokens, "*"),
        folders=folders,
        stays=folders | whole_end,
        whole_end=whole_end,
        steps={},
    )


def _places(tokens: list[str], token: str) -> int:
    return sum(1 << place for place, other in enumerate(tokens) if other == token)


def _skipped(machine: _Automaton, entered: int) -> int:
    """With the places after those that may stand for nothing. A `*` may follow a `**`; after a `*` there is neither."""
    entered |= (entered & machine.folders) << 1
    return entered | (entered & machine.stars) << 1
