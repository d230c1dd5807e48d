"""The data of events: one type for writer and reader, the names on the wire fixed, older data readable."""

import ast
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

import pendesk
from pendesk.domain.event import Event, EventData, EventKind
from pendesk.domain.event_data import (
    DATA_TYPES,
    USER_FIELDS,
    ActionClaimedData,
    ActionProgressedData,
    LateReportData,
    OwnerChangedData,
    TitledData,
    event_data_to_wire,
    parse_event_data,
)
from pendesk.domain.event_phrases import PHRASES

KINDS = set(get_args(EventKind))
# What lists or reads every kind, so a kind that stands there is not yet written.
LISTS = {"event.py", "event_data.py", "event_phrases.py", "event_visibility.py", "fold.py"}


def written_kinds():
    """Every kind that stands as a text in an operation or in a transition of the domain."""
    root = Path(pendesk.__file__).parent
    paths = [*(root / "operations").rglob("*.py"), *(root / "domain").rglob("*.py")]
    constants = (
        node.value
        for path in paths
        if path.name not in LISTS
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant)
    )
    return {value for value in constants if value in KINDS}


def test_every_kind_is_written_and_has_a_phrase():
    assert KINDS - written_kinds() == {"state.recorded"}  # fold.py writes what it reads
    assert set(PHRASES) == KINDS
    assert set(DATA_TYPES) <= KINDS


@pytest.mark.parametrize("kind", DATA_TYPES)
def test_data_is_written_and_read_as_the_same(kind):
    data_type = DATA_TYPES[kind]
    blank = data_type.from_wire({})
    assert data_type.from_wire(blank.to_wire()) == blank
    wrong_types = {field.name: object() for field in fields(data_type)}
    assert data_type.from_wire(wrong_types) == blank


def test_names_on_the_wire_are_camel_case():
    data = ActionClaimedData(before="todo", after="in_progress", fence=3, taken_from=None)
    assert data.to_wire() == {"before": "todo", "after": "in_progress", "fence": 3, "takenFrom": None}
    assert OwnerChangedData(from_="a", to="b").to_wire() == {"from": "a", "to": "b"}


def test_a_late_report_holds_the_fields_of_what_was_sent():
    late = LateReportData(report="action.progressed", sent=ActionProgressedData(message="Done", status="seen"))
    assert late.to_wire() == {"report": "action.progressed", "status": "seen", "message": "Done"}
    assert parse_event_data("report.late", late.to_wire()) == late
    endless = {"report": "report.late", "message": "x"}
    assert parse_event_data("report.late", endless) == LateReportData(report="report.late", sent=EventData())


def test_an_event_carries_what_its_readers_expect_or_is_not_written():
    assert event_data_to_wire(Event("note.created", "n", data=TitledData(title="Tides"))) == {"title": "Tides"}
    assert event_data_to_wire(Event("note.edited", "n", data={"revision": 2})) == {"revision": 2}
    with pytest.raises(TypeError, match=r"note\.created carries TitledData, not dict"):
        event_data_to_wire(Event("note.created", "n", data={"title": "Tides"}))


def test_kinds_without_a_type_and_kinds_of_a_newer_version_read_as_empty():
    assert parse_event_data("note.edited", {"revision": 2}) == parse_event_data("moon.landed", {"on": 1}) == EventData()


def test_fields_that_name_users_hold_ids():
    """A field that holds a user belongs to USER_FIELDS: then its name is looked up, and never stored."""
    names = {field.name for data_type in DATA_TYPES.values() for field in fields(data_type)}
    assert names >= USER_FIELDS
    assert not names & {"email", "user_name", "guest_name", "author", "browser"}
