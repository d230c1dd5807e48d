"""No answer to an agent is longer than it can afford to read, whatever people wrote.

What does not fit is left out by whole sections: a text or a list is there as it is, or not at all, the first ones
before the later. Only one that is longer than an answer comes in pages, which end with a paragraph, a line or an item.
`cut` names what is not here: `plan.approach` was left out, `plan.approach:2000` goes on after 2,000 characters. Calling
again with one of these as `rest` gives it.
"""

from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar

import msgspec
from msgspec import Meta

from pendesk.domain.errors import BadField
from pendesk.domain.limits import LABEL_CHARS, RESULT_TOKENS, SECTION_TOKENS
from pendesk.operations.operation import Output, encode_json

F = TypeVar("F", bound="Truncatable")
CutPositions = list[str]

READ_ON = "cut names what is not here. To read it, call again with the same arguments and one of its entries as rest."
MARK = "\N{HORIZONTAL ELLIPSIS}"
# What naming a section in cut may cost.
POSITION_TOKENS = 60
SHORTEST_PAGE_TOKENS = 500
# A page ends with the last of these in its second half.
PAGE_ENDS = ("\n\n", "\n", ". ", " ")
# Sent once, so there is no reading on: they come before all others, with so much of them. News is bounded where it is
# read (NEWS_TOKENS), and comes whole: a person's message is never cut.
SENT_ONCE = ("changes", "news")
SENT_WHOLE = "news"
SENT_ONCE_TOKENS = RESULT_TOKENS // 6

_LETTERS = bytes(range(ord("a"), ord("z") + 1)) + b" "
# The first bytes of characters that tokenizers rarely know: marks, rare scripts, symbols, everything beyond 16 bits.
_RARE = bytes([0xCC, 0xCD, 0xE1, 0xE2, 0xEF, *range(0xF0, 0xF8)])

RestField = Annotated[str, Meta(max_length=200, description="From cut.")]


class Rest(Output):
    """What `rest` asked for; next is where it goes on, if it does."""

    of: str
    text: str | None = None
    items: list[Any] = []
    next: str | None = None


class Truncatable(Output, kw_only=True):
    """An answer that may have been cut to fit. With `whole_lists` a list of rows is a section like any other, and not
    given as far as it fits.
    """

    whole_lists: ClassVar[bool] = False

    cut: CutPositions = []
    read_on: str | None = None
    rest: Rest | None = None


class Section(NamedTuple):
    """A text or a list of an answer, and where it is."""

    path: str
    value: str | list[Any]
    tokens: int


def estimate_token_upper_bound(raw: bytes) -> int:
    """An upper bound of the tokens of a text, by kinds of bytes: a tokenizer would cost more than the whole call.

    Measured (tests/contract/test_token_budget.py): small letters cost up to half a token each, other bytes four fifths,
    characters that the tokenizer does not know one a byte.
    """
    size = len(raw)
    letters = size - len(raw.translate(None, _LETTERS))
    rare = size - len(raw.translate(None, _RARE))
    return (5 * letters + 8 * (size - letters) + 8 * rare) // 10


def fits_token_limit(answer: Any, max_tokens: int = RESULT_TOKENS) -> bool:
    raw = encode_json(answer)
    return len(raw) <= max_tokens or estimate_token_upper_bound(raw) <= max_tokens


def truncate_to_token_limit(answer: F) -> F:
    """The answer itself where it fits, else a copy of as many of its sections as do."""
    if fits_token_limit(answer):
        return answer
    short, positions = _fit_answer(msgspec.to_builtins(answer), whole_lists=answer.whole_lists)
    return msgspec.convert(short | {"cut": positions, "readOn": READ_ON}, type(answer))


def truncate_json_to_token_limit(raw: bytes) -> bytes:
    """The last resort for any answer to an agent, as JSON: longer ones are cut, and say so."""
    if len(raw) <= RESULT_TOKENS or estimate_token_upper_bound(raw) <= RESULT_TOKENS:
        return raw
    answer = msgspec.json.decode(raw)
    cut_before = answer.pop("cut", [])
    short, positions = _fit_answer(answer, whole_lists=False)
    return encode_json({"cut": [*cut_before, *positions], **short})


def _fit_answer(answer: dict[str, Any], *, whole_lists: bool) -> tuple[dict[str, Any], CutPositions]:
    positions: CutPositions = []
    return _fit_sections(answer, "", RESULT_TOKENS - _tokens(READ_ON), whole_lists, positions), positions


def read_rest(whole_answer: F, cut_position: str, beside: F) -> F:
    """`beside`, which must not be missed, with the part of the whole answer that begins where `cut` says."""
    path, start = _path_and_start(cut_position)
    value = _value_at_dotted_path(msgspec.to_builtins(whole_answer), path)
    if not isinstance(value, str | list) or not start.isdecimal() or len(start) > 6 or int(start) > len(value):
        raise BadField("rest", "is not an entry of cut in an answer to the same call; leave it out to start over.")
    begin, positions = int(start), CutPositions()
    room = max(RESULT_TOKENS - _tokens(beside) - 2 * POSITION_TOKENS, RESULT_TOKENS // 4)
    page = _fit_page(value, path, begin, room, positions, must_give=True)
    end = begin + len(page)
    rest = Rest(
        of=cut_position,
        text=page if isinstance(page, str) else None,
        items=page if isinstance(page, list) else [],
        next=f"{path}:{end}" if end < len(value) else None,
    )
    return msgspec.structs.replace(beside, rest=rest, cut=positions)


def _path_and_start(cut_position: str) -> tuple[str, str]:
    path, colon, start = cut_position.rpartition(":")
    return (path, start) if colon else (cut_position, "0")


def _fit_sections(
    value: dict[str, Any], dotted_path: str, room: int, whole_lists: bool, cut_positions: CutPositions
) -> dict[str, Any]:
    """As many sections as fit, in their order; one that no answer has room for is begun."""
    sections: list[Section] = []
    short = _take_out_sections(value, dotted_path, sections)
    room -= _tokens(short) + POSITION_TOKENS * len(sections)
    later = sum(min(section.tokens, SECTION_TOKENS) for section in sections)
    for section in sorted(sections, key=_is_readable_later):
        is_paged = section.tokens > SECTION_TOKENS or (isinstance(section.value, list) and not whole_lists)
        later -= min(section.tokens, SECTION_TOKENS)
        if section.path == SENT_WHOLE:
            content = section.value
        elif not _is_readable_later(section) and section.tokens > SENT_ONCE_TOKENS:
            content = _fit_page(section.value, section.path, 0, SENT_ONCE_TOKENS, cut_positions, must_give=True)
        elif section.tokens <= room:
            content = section.value
        elif is_paged and room >= SHORTEST_PAGE_TOKENS:
            page_room = max(room // 2, room - later)
            content = _fit_page(section.value, section.path, 0, page_room, cut_positions, must_give=False)
        else:
            content = section.value[:0]
        room -= _tokens(content)
        if len(content) < len(section.value):
            _add_position_if_readable_later(section.path, len(content), cut_positions)
            content = content + MARK if isinstance(content, str) else content
        _put(short, section.path[len(dotted_path) :].lstrip("."), content)
    return short


def _is_readable_later(section: Section) -> bool:
    return not section.path.startswith(SENT_ONCE)


def _take_out_sections(value: dict[str, Any], dotted_path: str, sections: list[Section]) -> dict[str, Any]:
    """The rest of it: ids, numbers, names, which are never cut."""
    short: dict[str, Any] = {}
    for name, item in value.items():
        path = f"{dotted_path}.{name}" if dotted_path else name
        if isinstance(item, dict):
            short[name] = _take_out_sections(item, path, sections)
        elif isinstance(item, list) or (isinstance(item, str) and len(item) > LABEL_CHARS):
            sections.append(Section(path, item, _tokens(item)))
            short[name] = item[:0]
        else:
            short[name] = item
    return short


def _put(answer: dict[str, Any], dotted_path: str, value: Any) -> None:
    *names, last = dotted_path.split(".")
    for name in names:
        answer = answer[name]
    answer[last] = value


def _fit_page(
    value: str | list[Any], dotted_path: str, begin: int, room: int, cut_positions: CutPositions, must_give: bool
) -> str | list[Any]:
    """`must_give`: something, or reading on would never come to an end."""
    if isinstance(value, str):
        return value[begin : _page_end(value, begin, room)]
    items: list[Any] = []
    for index, item in enumerate(value[begin:], begin):
        tokens = _tokens(item) + 1
        if tokens > room:
            is_begun = must_give or (tokens > SECTION_TOKENS and room > 2 * SHORTEST_PAGE_TOKENS)
            if is_begun and not items:
                items.append(_fit_item(item, f"{dotted_path}.{index}", room, cut_positions))
            break
        items.append(item)
        room -= tokens
    return items


def _fit_item(item: Any, dotted_path: str, room: int, cut_positions: CutPositions) -> Any:
    """An item that alone is too long."""
    if isinstance(item, dict):
        return _fit_sections(item, dotted_path, room, False, cut_positions)
    if not isinstance(item, str | list):
        return item
    page = _fit_page(item, dotted_path, 0, room, cut_positions, must_give=True)
    if len(page) < len(item):
        _add_position_if_readable_later(dotted_path, len(page), cut_positions)
    return page + MARK if isinstance(page, str) else page


def _page_end(text: str, begin: int, room: int) -> int:
    """Where a page of so many tokens ends: at least one character is given, so that reading on comes to an end."""
    low, high = begin + 1, min(len(text), begin + 2 * room)  # no character costs less than half a token
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _tokens(text[begin:middle]) <= room else (low, middle - 1)
    if low >= len(text):
        return len(text)
    ends = (text.rfind(separator, (begin + low) // 2, low) + len(separator) for separator in PAGE_ENDS)
    return next((end for end, separator in zip(ends, PAGE_ENDS, strict=True) if end >= len(separator)), low)


def _add_position_if_readable_later(dotted_path: str, given_size: int, cut_positions: CutPositions) -> None:
    if not dotted_path.startswith(SENT_ONCE):
        cut_positions.append(f"{dotted_path}:{given_size}" if given_size else dotted_path)


def _tokens(value: Any) -> int:
    return estimate_token_upper_bound(encode_json(value))


def _value_at_dotted_path(value: Any, dotted_path: str) -> Any:
    for step in dotted_path.split("."):
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and step.isdecimal() and len(step) <= 6 and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value
