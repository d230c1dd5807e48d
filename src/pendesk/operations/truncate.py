"""No answer to an agent is longer than it can afford to read, whatever people wrote.

What does not fit is cut, and the answer lists where: each entry of `cut` is a place in the answer and how much of it
was given, such as `plan.approach:2000`. Calling again with it as `rest` reads on there.
"""

from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from pendesk.domain.errors import BadField
from pendesk.domain.limits import ID_CHARS, RESULT_TOKENS
from pendesk.operations.operation import Output, encode_json

F = TypeVar("F", bound="Truncatable")
CutPositions = list[str]  # each a place in an answer and how much of it was given: plan.approach:2000

READ_ON = "cut lists what was shortened. To read on, call again with the same arguments and one of its entries as rest."
REST_TOKENS = RESULT_TOKENS // 2  # what stands beside the rest needs some too
# Characters of a text and items of a list that are given, from generous to what always fits; ids are never cut.
LEVELS = ((4000, 50), (2000, 30), (1000, 20), (500, 12), (250, 8), (150, 4), (ID_CHARS, 3), (ID_CHARS, 1))
REST_LEVELS = ((12_000, 50), (6000, 30), (3000, 20), *LEVELS[2:])
MARK = "\N{HORIZONTAL ELLIPSIS}"
# Sent once, so there is no reading on: what they are about is in the answer itself.
SENT_ONCE = ("changes", "news")

_LETTERS = bytes(range(ord("a"), ord("z") + 1)) + b" "
# The first bytes of characters that tokenizers rarely know: marks, rare scripts, symbols, everything beyond 16 bits.
_RARE = bytes([0xCC, 0xCD, 0xE1, 0xE2, 0xEF, *range(0xF0, 0xF8)])

RestField = Annotated[str, Meta(max_length=200, description="An entry of cut, to read on.")]


class Rest(Output):
    """What `rest` asked for; next is where it goes on, if it does."""

    of: str
    text: str | None = None
    items: list[Any] = []
    next: str | None = None


class Truncatable(Output, kw_only=True):
    """An answer that may have been cut to fit."""

    cut: CutPositions = []
    read_on: str | None = None
    rest: Rest | None = None


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
    """The answer itself where it fits, else a copy with its longest parts cut."""
    if fits_token_limit(answer):
        return answer
    short, places = _truncate_and_list_cut_positions(msgspec.to_builtins(answer))
    return msgspec.convert(short | {"cut": places, "readOn": READ_ON}, type(answer))


def truncate_json_to_token_limit(raw: bytes) -> bytes:
    """The last resort for any answer to an agent, as JSON: longer ones are cut, and say so."""
    if len(raw) <= RESULT_TOKENS or estimate_token_upper_bound(raw) <= RESULT_TOKENS:
        return raw
    short, places = _truncate_and_list_cut_positions(msgspec.json.decode(raw))
    return encode_json({"cut": places, **short})


def _truncate_and_list_cut_positions(answer: dict[str, Any]) -> tuple[dict[str, Any], CutPositions]:
    for chars, items in LEVELS:
        places: CutPositions = []
        short = _truncate_value(answer, "", chars, items, places)
        if fits_token_limit([short, places, READ_ON]):
            break
    return short, places


def rest_after_cut_with_further_cuts(answer: Truncatable, cut_position: str) -> tuple[Rest, CutPositions]:
    """The part of the whole answer that begins at a place that `cut` named, and what of it had to be cut again."""
    path, _, start = cut_position.rpartition(":")
    value = _value_at_dotted_path(msgspec.to_builtins(answer), path)
    if not isinstance(value, str | list) or not start.isdecimal() or len(start) > 6 or int(start) > len(value):
        raise BadField("rest", "is not an entry of cut in an answer to the same call; leave it out to start over.")
    begin = int(start)
    for chars, items in REST_LEVELS:
        part, size, places = _rest_with_length_and_cut_positions(value, path, begin, chars, items)
        if fits_token_limit(part, REST_TOKENS):
            break
    part.next = f"{path}:{begin + size}" if begin + size < len(value) else None
    return part, places


def _rest_with_length_and_cut_positions(
    value: str | list[Any], dotted_path: str, offset: int, max_chars: int, max_items: int
) -> tuple[Rest, int, CutPositions]:
    of = f"{dotted_path}:{offset}"
    if isinstance(value, str):
        text = value[offset : offset + max_chars]
        return Rest(of=of, text=text), len(text), []
    places: CutPositions = []
    listed = [
        _truncate_value(item, f"{dotted_path}.{offset + index}", max_chars, max_items, places)
        for index, item in enumerate(value[offset : offset + max_items])
    ]
    return Rest(of=of, items=listed), len(listed), places


def _truncate_value(value: Any, dotted_path: str, max_chars: int, max_items: int, cut_positions: CutPositions) -> Any:
    if isinstance(value, str) and len(value) > max_chars:
        _add_cut_position_if_readable_later(dotted_path, max_chars, cut_positions)
        return value[:max_chars] + MARK
    if isinstance(value, list):
        if len(value) > max_items:
            _add_cut_position_if_readable_later(dotted_path, max_items, cut_positions)
        return [
            _truncate_value(item, f"{dotted_path}.{index}", max_chars, max_items, cut_positions)
            for index, item in enumerate(value[:max_items])
        ]
    if isinstance(value, dict):
        return {
            name: _truncate_value(
                item, f"{dotted_path}.{name}" if dotted_path else name, max_chars, max_items, cut_positions
            )
            for name, item in value.items()
        }
    return value


def _add_cut_position_if_readable_later(dotted_path: str, kept_size: int, cut_positions: CutPositions) -> None:
    if not dotted_path.startswith(SENT_ONCE):
        cut_positions.append(f"{dotted_path}:{kept_size}")


def _value_at_dotted_path(value: Any, dotted_path: str) -> Any:
    for step in dotted_path.split("."):
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and step.isdecimal() and len(step) <= 6 and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value
