"""Cutting an answer to what an agent can afford, and reading on."""

import msgspec
import pytest

from pendesk.domain.errors import BadField
from pendesk.domain.limits import RESULT_TOKENS
from pendesk.operations.operation import encode_json
from pendesk.operations.truncate import (
    Truncatable,
    estimate_token_upper_bound,
    read_rest,
    truncate_json_to_token_limit,
    truncate_to_token_limit,
)

PARAGRAPH = "The form shows each error beside its field, and keeps what was typed. " * 4 + "\n\n"

ID = "01a1dea7-fa68-7692-8b00-c2f5c5f0a0d9"


class Answer(Truncatable, kw_only=True):
    pid: str = ID
    text: str = ""
    more: str = ""
    lines: list[str] = []
    news: list[str] = []


def test_what_fits_is_given_as_it_is():
    answer = Answer(text="x" * 7000)
    assert truncate_to_token_limit(answer) is answer
    raw = encode_json(answer)
    assert truncate_json_to_token_limit(raw) is raw


def test_what_does_not_fit_is_left_out_whole_and_named():
    answer = Answer(text="a" * 7000, more="b" * 7000, lines=["short", "c" * 900])
    short = truncate_to_token_limit(answer)
    assert estimate_token_upper_bound(encode_json(short)) <= RESULT_TOKENS
    assert (short.pid, short.text, short.more, short.lines) == (ID, answer.text, "…", answer.lines)
    assert short.cut == ["more"]
    assert "rest" in (short.read_on or "")
    rest = read_rest(answer, "more", Answer()).rest
    assert rest is not None
    assert (rest.of, rest.text, rest.next) == ("more", answer.more, None)


def test_a_text_that_no_answer_has_room_for_comes_in_pages_of_whole_paragraphs():
    answer = Answer(text=PARAGRAPH * 150, more=PARAGRAPH)
    short = truncate_to_token_limit(answer)
    place: str | None = short.cut[0]
    assert (short.more, [entry.split(":")[0] for entry in short.cut]) == (PARAGRAPH, ["text"])
    pages = [short.text.removesuffix("…")]
    while place is not None:
        answered = read_rest(answer, place, Answer())
        assert (answered.cut, estimate_token_upper_bound(encode_json(answered)) <= RESULT_TOKENS) == ([], True)
        assert answered.rest is not None
        pages.append(answered.rest.text or "")
        place = answered.rest.next
    assert "".join(pages) == answer.text
    assert len(pages) >= 3
    assert all(page.endswith("\n\n") for page in pages)


@pytest.mark.parametrize(("between", "end"), [("\n", "\n"), (". ", ". "), (" ", " "), ("", "w")])
def test_without_paragraphs_a_page_ends_with_the_next_best(between, end):
    answer = Answer(text=between.join(["www"] * 20_000))
    assert truncate_to_token_limit(answer).text.removesuffix("…").endswith(end)


def rows(count: int, chars: int) -> list[str]:
    return [f"{number} {'x' * chars}" for number in range(count)]


@pytest.mark.parametrize("whole_lists", [False, True])
def test_a_list_that_no_answer_has_room_for_comes_by_whole_items(whole_lists):
    class Listed(Answer, kw_only=True):
        pass

    Listed.whole_lists = whole_lists
    answer = Listed(lines=rows(100, 1500))
    short = truncate_to_token_limit(answer)
    place: str | None = short.cut[0]
    items = list(short.lines)
    while place is not None:
        answered = read_rest(answer, place, Answer())
        assert answered.cut == []
        assert answered.rest is not None
        items += answered.rest.items
        place = answered.rest.next
    assert items == answer.lines


def test_a_list_of_rows_is_given_as_far_as_it_fits_unless_lists_are_whole():
    class Listed(Answer, kw_only=True):
        whole_lists = True

    text, lines = "a" * 9000, rows(10, 800)
    by_rows = truncate_to_token_limit(Answer(text=text, lines=lines))
    whole = truncate_to_token_limit(Listed(text=text, lines=lines))
    assert (0 < len(by_rows.lines) < 10, by_rows.cut) == (True, [f"lines:{len(by_rows.lines)}"])
    assert (whole.lines, whole.cut) == ([], ["lines"])


def test_what_is_told_once_has_no_place_to_read_on():
    assert truncate_to_token_limit(Answer(news=["n" * 40_000])).cut == []


@pytest.mark.parametrize(
    "place", ["", ":", "txt", "text:", "text:-1", "text:99", "lines.0:0", "pid.x:0", "nothing:0", "text:²"]
)
def test_a_place_that_is_none_is_refused(place):
    with pytest.raises(BadField, match="rest"):
        read_rest(Answer(text="short"), place, Answer())


def test_any_other_answer_is_bounded_too():
    content = msgspec.json.decode(
        truncate_json_to_token_limit(encode_json({"pid": ID, "body": "𒀀" * 100_000, "rows": [{"a": "b" * 900}] * 200}))
    )
    assert estimate_token_upper_bound(encode_json(content)) <= RESULT_TOKENS
    assert content["pid"] == ID
    assert {place.split(":")[0] for place in content["cut"]} >= {"body", "rows"}
