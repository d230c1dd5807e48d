"""How many steps a regular expression takes on a text, counted by a small matcher that tries what `re` tries.

`re` has no counter of its own, and a time says little on a busy machine. The matcher walks the tree that `re` itself
parses, so every pattern is counted as it is written. It is naive: `re` takes a few shortcuts, so it never takes more.
"""

import re
from collections.abc import Callable, Iterator
from re import _constants as codes
from re import _parser as parser
from typing import Any

Then = Callable[[int], bool]

MOST_STEPS = 100_000
# Beyond so many a bounded repeat counts as one that ends: {1,250} grows no further, and the texts here are short.
BOUND = 6


class TooLong(Exception):
    """The steps that were counted until then are enough to know."""


class Matcher:
    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.tree = parser.parse(pattern, flags)
        self.flags = self.tree.state.flags
        self.steps = 0
        self._text = ""
        self._groups: dict[int, tuple[int, int]] = {}

    def count(self, text: str, *, anchored: bool) -> int:
        """As `match` does, or as `finditer` does."""
        self.steps, self._text = 0, text
        try:
            place = 0
            while place <= len(text):
                end = self._end(list(self.tree), place)
                if anchored:
                    break
                place = max(end, place + 1) if end is not None else place + 1
        except TooLong:
            pass
        return self.steps

    def _end(self, items: list[Any], place: int) -> int | None:
        ends: list[int] = []

        def keep(end: int) -> bool:
            ends.append(end)
            return True

        return ends[-1] if self._match(items, place, keep) else None

    def _match(self, items: list[Any], place: int, then: Then) -> bool:
        if not items:
            return then(place)
        (code, told), rest = items[0], items[1:]
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooLong
        if code in ONE_CHARACTER:
            fits = place < len(self._text) and self.fits(code, told, self._text[place])
            return fits and self._match(rest, place + 1, then)
        return MATCHERS[code](self, told, place, lambda end: self._match(rest, end, then))

    def fits(self, code: Any, told: Any, char: str) -> bool:
        if self.flags & re.IGNORECASE:
            return any(_fits(code, told, each, self.flags) for each in {char.lower(), char.upper()})
        return _fits(code, told, char, self.flags)

    def _greedy(self, told: Any, place: int, then: Then) -> bool:
        least, most, body = _bounds(told)

        def again(count: int, here: int) -> bool:
            def after(end: int) -> bool:
                return (end > here or count < least) and again(count + 1, end)

            if count < most and self._match(body, here, after):
                return True
            return count >= least and then(here)

        return again(0, place)

    def _lazy(self, told: Any, place: int, then: Then) -> bool:
        least, most, body = _bounds(told)

        def again(count: int, here: int) -> bool:
            if count >= least and then(here):
                return True
            return count < most and self._match(body, here, lambda end: end > here and again(count + 1, end))

        return again(0, place)

    def _possessive(self, told: Any, place: int, then: Then) -> bool:
        least, most, body = _bounds(told)
        count = 0
        while count < most and (end := self._end(body, place)) is not None and end > place:
            place, count = end, count + 1
        return count >= least and then(place)

    def _atomic(self, told: Any, place: int, then: Then) -> bool:
        end = self._end(list(told), place)
        return end is not None and then(end)

    def _group(self, told: Any, place: int, then: Then) -> bool:
        number, _add, _remove, body = told

        def after(end: int) -> bool:
            if number is not None:
                self._groups[number] = (place, end)
            return then(end)

        return self._match(list(body), place, after)

    def _branch(self, told: Any, place: int, then: Then) -> bool:
        return any(self._match(list(body), place, then) for body in told[1])

    def _reference(self, told: Any, place: int, then: Then) -> bool:
        begin, end = self._groups.get(told, (0, 0))
        word = self._text[begin:end]
        return self._text.startswith(word, place) and then(place + len(word))

    def _look(self, told: Any, place: int) -> bool:
        direction, body = told
        start = place if direction > 0 else place - body.getwidth()[0]
        return start >= 0 and self._end(list(body), start) is not None

    def _at(self, told: Any, place: int, then: Then) -> bool:
        return AT[told](self._text, place, bool(self.flags & re.MULTILINE)) and then(place)


def _bounds(told: Any) -> tuple[int, int, list[Any]]:
    least, most, body = told
    if most is codes.MAXREPEAT:
        return min(least, BOUND), 10**9, list(body)
    return min(least, BOUND), min(most, BOUND), list(body)


def _fits(code: Any, told: Any, char: str, flags: int) -> bool:
    if code is codes.LITERAL:
        return char == chr(told)
    if code is codes.NOT_LITERAL:
        return char != chr(told)
    if code is codes.ANY:
        return char != "\n" or bool(flags & re.DOTALL)
    negated = told[0][0] is codes.NEGATE
    return negated != any(_in(kind, each, char) for kind, each in (told[1:] if negated else told))


def _in(kind: Any, told: Any, char: str) -> bool:
    if kind is codes.LITERAL:
        return char == chr(told)
    if kind is codes.RANGE:
        return bool(told[0] <= ord(char) <= told[1])
    return CATEGORIES[told](char)


def _is_word(text: str, place: int) -> bool:
    return 0 <= place < len(text) and (text[place].isalnum() or text[place] == "_")


def _is_boundary(text: str, place: int, _lines: bool) -> bool:
    return _is_word(text, place - 1) != _is_word(text, place)


ONE_CHARACTER = (codes.LITERAL, codes.NOT_LITERAL, codes.ANY, codes.IN)
CATEGORIES: dict[Any, Callable[[str], bool]] = {
    codes.CATEGORY_DIGIT: str.isdecimal,
    codes.CATEGORY_NOT_DIGIT: lambda char: not char.isdecimal(),
    codes.CATEGORY_SPACE: str.isspace,
    codes.CATEGORY_NOT_SPACE: lambda char: not char.isspace(),
    codes.CATEGORY_WORD: lambda char: char.isalnum() or char == "_",
    codes.CATEGORY_NOT_WORD: lambda char: not (char.isalnum() or char == "_"),
}
AT: dict[Any, Callable[[str, int, bool], bool]] = {
    codes.AT_BEGINNING: lambda text, place, lines: place == 0 or (lines and text[place - 1] == "\n"),
    codes.AT_BEGINNING_STRING: lambda _text, place, _lines: place == 0,
    codes.AT_END: lambda text, place, lines: text[place:] in ("", "\n") or (lines and text[place] == "\n"),
    codes.AT_END_STRING: lambda text, place, _lines: place == len(text),
    codes.AT_BOUNDARY: _is_boundary,
    codes.AT_NON_BOUNDARY: lambda text, place, lines: not _is_boundary(text, place, lines),
}
MATCHERS: dict[Any, Callable[[Matcher, Any, int, Then], bool]] = {
    codes.MAX_REPEAT: Matcher._greedy,
    codes.MIN_REPEAT: Matcher._lazy,
    codes.POSSESSIVE_REPEAT: Matcher._possessive,
    codes.ATOMIC_GROUP: Matcher._atomic,
    codes.SUBPATTERN: Matcher._group,
    codes.BRANCH: Matcher._branch,
    codes.GROUPREF: Matcher._reference,
    codes.ASSERT: lambda self, told, place, then: self._look(told, place) and then(place),
    codes.ASSERT_NOT: lambda self, told, place, then: not self._look(told, place) and then(place),
    codes.AT: Matcher._at,
}

POOL = " \t\na1A-_./#:<>\"'`@!,&\u00e9"
FEW = 5  # steps for each character: then there is nothing to look at more closely
LINEAR = 2.9  # of what is added when the text doubles: 2 where it is linear, 4 where it is quadratic


def worst_text(pattern: str, flags: int, *, anchored: bool) -> str | None:
    """A text on which the steps grow faster than its length, written as what is repeated; None if none was found."""
    matcher = Matcher(pattern, flags)
    if not any(_unbounded(matcher.tree)):
        return None
    for begin, unit, end in _attacks(matcher, anchored=anchored):

        def count(times: int, begin: str = begin, unit: str = unit, end: str = end) -> int:
            return matcher.count(begin + unit * times + end, anchored=anchored)

        if count(32 // len(unit) + 8) > FEW * max(32, 8 * len(unit)) and _grows(count, 6) and _grows(count, 12):
            return f"{begin!r} + {unit!r} * n + {end!r}"
    return None


def _grows(count: Callable[[int], int], times: int) -> bool:
    small, middle, large = (count(times * each) for each in (1, 2, 4))
    return large > MOST_STEPS or large - middle > LINEAR * max(middle - small, times)


def _attacks(matcher: Matcher, *, anchored: bool) -> Iterator[tuple[str, str, str]]:
    """What leads to each repeat, then what it takes over and over, then something that it does not take."""
    beginnings = list(dict.fromkeys(["", *(_example(matcher, items) for items in _prefixes(list(matcher.tree)))]))
    chars = [char for char in dict.fromkeys(POOL) if any(matcher.fits(*item, char) for item in _repeated(matcher.tree))]
    bodies = [_example(matcher, list(body)) for body in _unbounded(matcher.tree)]
    for begin in beginnings:
        # A search begins anew at every place: then what leads to a repeat is also what to repeat.
        for unit in dict.fromkeys([*chars, *bodies, *([] if anchored else beginnings)]):
            for end in ("", "\n", "\x00"):
                if unit:
                    yield begin, unit, end


def _unbounded(items: Any) -> Iterator[Any]:
    """The bodies of all repeats that may go on without an end."""
    for code, told in items:
        if code in REPEATS and told[1] is codes.MAXREPEAT:
            yield told[2]
        for inner in _inside(code, told):
            yield from _unbounded(inner)


def _repeated(items: Any) -> Iterator[tuple[Any, Any]]:
    """The single characters within them."""
    for body in _unbounded(items):
        yield from _characters(body)


def _characters(items: Any) -> Iterator[tuple[Any, Any]]:
    for code, told in items:
        if code in ONE_CHARACTER:
            yield code, told
        for inner in _inside(code, told):
            yield from _characters(inner)


def _inside(code: Any, told: Any) -> list[Any]:
    if code in REPEATS:
        return [told[2]]
    if code is codes.SUBPATTERN:
        return [told[3]]
    if code is codes.BRANCH:
        return list(told[1])
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [told[1]]
    return [told] if code is codes.ATOMIC_GROUP else []


def _prefixes(items: list[Any]) -> Iterator[list[Any]]:
    """What stands before each repeat of the pattern, also within groups."""
    for place, (code, told) in enumerate(items):
        if code in REPEATS:
            yield items[:place]
            yield items[: place + 1]
        for inner in _inside(code, told):
            for below in _prefixes(list(inner)):
                yield [*items[:place], *below]


def _example(matcher: Matcher, items: list[Any]) -> str:
    """A short text that fits, as far as can be told."""
    return "".join(_example_of(matcher, code, told) for code, told in items)


def _example_of(matcher: Matcher, code: Any, told: Any) -> str:
    if code in ONE_CHARACTER:
        drawn = chr(told) if code is codes.LITERAL else ""
        ranges = [chr(each[0]) for kind, each in told if kind is codes.RANGE] if code is codes.IN else []
        literals = [chr(each) for kind, each in told if kind is codes.LITERAL] if code is codes.IN else []
        wanted = [drawn, *POOL[3:], *ranges, *literals, *POOL[:3]]
        return next((char for char in wanted if char and matcher.fits(code, told, char)), "")
    if code in REPEATS:
        times: int = max(1, min(told[0], BOUND))
        return _example(matcher, list(told[2])) * times
    if code is codes.BRANCH:
        return _example(matcher, list(told[1][0]))
    return _example(matcher, list(told[3])) if code is codes.SUBPATTERN else ""


REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
