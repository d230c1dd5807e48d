from typing import NamedTuple

import msgspec
import pytest
from jinja2 import Environment

from pendesk import clock
from pendesk.domain.limits import Limits
from pendesk.transports.web.parts import card_html
from pendesk.transports.web.parts.card_html import KEPT_US, CardHtml


class Card(msgspec.Struct):
    label: str


class Column(NamedTuple):
    task_moves: list[str]


class Board:
    """It counts how often a card was rendered."""

    def __init__(self) -> None:
        self.rendered = 0
        environment = Environment(autoescape=True)
        environment.globals["count"] = self._count
        text = "{{ count() }}{{ card.label }} {{ column.task_moves|join }} {{ project_key }} "
        text += "{{ may_write }} {{ shows_spec }}"
        self._html = CardHtml(environment.from_string(text))

    def _count(self) -> str:
        self.rendered += 1
        return ""

    def show(
        self,
        label: str = "Lift",
        moves: tuple[str, ...] = ("done",),
        key: str = "HRB",
        may_write: bool = True,
        shows_spec: bool = True,
    ):
        return self._html(Card(label), Column(list(moves)), key, may_write, Limits(), shows_spec)


@pytest.fixture
def board():
    return Board()


def test_who_sees_the_same_card_gets_the_same_html(board):
    assert board.show() == board.show() == "Lift done HRB True True"
    assert board.rendered == 1


def test_whatever_differs_is_rendered_by_itself(board):
    others = ({"moves": ()}, {"key": "PEN"}, {"may_write": False}, {"shows_spec": False})
    shown = {board.show(), board.show("Lock"), *(board.show(**other) for other in others)}
    assert len(shown) == board.rendered == 6


def test_what_a_card_says_stays_escaped(board):
    assert board.show("<b>") == board.show("<b>") == "&lt;b&gt; done HRB True True"


def test_time_passes_on_a_card_too(board, monkeypatch):
    now = 1_000 * KEPT_US
    monkeypatch.setattr(clock, "now_us", lambda: now)
    board.show()
    now += KEPT_US - 1
    board.show()
    assert board.rendered == 1
    now += 1
    board.show()
    assert board.rendered == 2


def test_no_more_is_kept_than_was_said(board, monkeypatch):
    monkeypatch.setattr(card_html, "KEPT_MOST", 2)
    for label in ("a", "b", "c", "a"):
        board.show(label)
    assert board.rendered == 4
