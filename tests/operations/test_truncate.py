"""Cutting an answer to what an agent can afford, and reading on."""

import msgspec
import pytest

from pendesk.domain.errors import BadField
from pendesk.domain.limits import RESULT_TOKENS
from pendesk.operations.operation import encode_json
from pendesk.operations.truncate import (
    Truncatable,
    estimate_token_upper_bound,
    rest_after_cut_with_further_cuts,
    truncate_json_to_token_limit,
    truncate_to_token_limit,
)

ID = "01a1dea7-fa68-7692-8b00-c2f5c5f0a0d9"


class Answer(Truncatable, kw_only=True):
    pid: str = ID
    text: str = ""
    lines: list[str] = []
    news: list[str] = []


def test_what_fits_is_given_as_it_is():
    answer = Answer(text="x" * 7000)
    assert truncate_to_token_limit(answer) is answer
    raw = encode_json(answer)
    assert truncate_json_to_token_limit(raw) is raw


def test_what_does_not_fit_is_cut_and_says_where():
    answer = Answer(text="a" * 50_000, lines=["short", "b" * 9000])
    short = truncate_to_token_limit(answer)
    assert estimate_token_upper_bound(encode_json(short)) <= RESULT_TOKENS
    assert short.pid == ID
    assert short.lines[0] == "short"
    assert [place.split(":")[0] for place in short.cut] == ["text", "lines.1"]
    assert short.text == "a" * int(short.cut[0].split(":")[1]) + "…"
    assert "rest" in (short.read_on or "")


def test_reading_on_gives_the_whole():
    result = "".join(chr(97 + number % 26) for number in range(50_000))
    answer = Answer(text=result)
    first = truncate_to_token_limit(answer).cut[0]
    read = result[: int(first.split(":")[1])]
    place: str | None = first
    while place is not None:
        rest, cut = rest_after_cut_with_further_cuts(answer, place)
        assert cut == []
        read += rest.text or ""
        place = rest.next
    assert read == result


def test_a_list_is_read_on_by_items():
    answer = Answer(lines=[f"{number} {'x' * 1500}" for number in range(100)])
    short = truncate_to_token_limit(answer)
    place: str | None = next(entry for entry in short.cut if entry.startswith("lines:"))
    seen = len(short.lines)
    while place is not None:
        rest, cut = rest_after_cut_with_further_cuts(answer, place)
        assert [item.split()[0] for item in rest.items] == [str(seen + n) for n in range(len(rest.items))]
        assert all(value.startswith("lines.") for value in cut)
        seen += len(rest.items)
        place = rest.next
    assert seen == 100


def test_what_is_told_once_has_no_place_to_read_on():
    assert truncate_to_token_limit(Answer(news=["n" * 40_000])).cut == []


@pytest.mark.parametrize(
    "place", ["", ":", "text", "text:", "text:-1", "text:99", "lines.0:0", "pid.x:0", "nothing:0", "text:²"]
)
def test_a_place_that_is_none_is_refused(place):
    with pytest.raises(BadField, match="rest"):
        rest_after_cut_with_further_cuts(Answer(text="short"), place)


def test_any_other_answer_is_bounded_too():
    content = msgspec.json.decode(
        truncate_json_to_token_limit(encode_json({"pid": ID, "body": "𒀀" * 100_000, "rows": [{"a": "b" * 900}] * 200}))
    )
    assert estimate_token_upper_bound(encode_json(content)) <= RESULT_TOKENS
    assert content["pid"] == ID
    assert {place.split(":")[0] for place in content["cut"]} >= {"body", "rows"}
