"""Events in words."""

import re
from typing import get_args

import pytest

from pendesk.domain.event import EventKind
from pendesk.domain.event_data import DATA_TYPES, USER_FIELDS
from pendesk.domain.event_phrases import (
    OWN_PHRASES,
    PHRASES,
    EventSubject,
    MentionedNames,
    Phrase,
    Titled,
    describe_event,
    mentioned_user_ids,
    placeholder_names,
)

NAMES = MentionedNames(
    {"u-ada": "Ada", "u-bea": "Bea"}, {"i-1": "new@example.com"}, {"s-1": "Tides", "d-1": "Charts", "p-1": "Plan A"}
)


def phrase(kind, data, *, ref=None, actor="u-ada", subject="o-1", spec=None, names=NAMES):
    return describe_event(EventSubject(kind, actor, subject, ref, spec), data, names)


def test_every_kind_has_a_phrase_and_no_phrase_is_left_over():
    assert set(PHRASES) == set(get_args(EventKind))
    assert set(OWN_PHRASES) <= set(PHRASES)


@pytest.mark.parametrize("kind", PHRASES)
def test_a_phrase_names_only_what_its_event_carries(kind):
    data_type = DATA_TYPES.get(kind)
    fields: set[str] = set(data_type.__slots__ if data_type else ())
    for template in (PHRASES[kind], OWN_PHRASES.get(kind, "")):
        assert set(placeholder_names(template)) <= fields | {"it", "member", "invitee", "object", "spec"}


@pytest.mark.parametrize("kind", PHRASES)
@pytest.mark.parametrize("actor", ["o-1", "somebody"])
def test_an_event_that_carries_nothing_can_still_be_described(kind, actor):
    deed = phrase(kind, {}, actor=actor, names=MentionedNames({})).deed
    assert deed
    assert not re.search("[{}]", deed)


@pytest.mark.parametrize("kind", PHRASES)
def test_data_of_any_shape_can_be_described(kind):
    """An imported file may say anything."""
    odd = {name: [{"x": 1}] for name in (*DATA_TYPES.get(kind, DATA_TYPES["user.created"]).__slots__, "user", "from")}
    assert phrase(kind, odd | {"report": {"deep": []}}).deed


def test_a_claim_that_was_taken_over_is_told_apart():
    assert phrase("action.claimed", {"takenOver": True}, ref="PEN-7").deed == "took over PEN-7 from another session"
    assert phrase("action.claimed", {}, ref="PEN-7").deed == "claimed PEN-7"


def test_codes_become_words_and_texts_stay_as_they_are():
    data = {"before": "in_progress", "after": "todo", "reason": "snake_case is_fine here"}
    assert phrase("action.moved", data, ref="PEN-7") == Phrase(
        "moved PEN-7 from in progress to todo", "snake_case is_fine here"
    )


def test_what_somebody_wrote_is_the_detail():
    assert phrase("clarification.asked", {"question": "Which colour?"}, ref="PEN-7") == Phrase(
        "asked a question about PEN-7", "Which colour?"
    )
    late = {"report": "clarification.asked", "question": "Which colour?"}
    assert phrase("report.late", late, ref="PEN-7").detail == "Which colour?"


def test_people_are_named_as_they_are_called_now():
    assert phrase("member.removed", {"role": "viewer"}, subject="u-bea").deed == "removed Bea"
    assert phrase("token.created", {"name": "CI", "user": "u-bea"}).deed == "created the token CI for Bea"
    assert phrase("token.handed_over", {"name": "CI", "to": "u-bea"}).deed == "transferred the token CI to Bea"
    assert phrase("member.removed", {}, subject="u-nobody").deed == "removed a former member"


def test_who_does_it_to_themselves_is_not_named_twice():
    assert phrase("member.added", {"role": "viewer"}, subject="u-bea").deed == "added Bea as viewer"
    assert phrase("member.added", {"role": "viewer"}, subject="u-ada").deed == "joined as viewer"
    assert phrase("member.renamed", {}, subject="u-ada").deed == "changed their name"


def test_an_invite_names_its_address_while_it_exists():
    assert phrase("invite.created", {"role": "member"}, subject="i-1").deed == "invited new@example.com as member"
    assert phrase("invite.created", {"role": "member"}, subject="i-2").deed == "invited someone as member"


def test_names_in_older_events_are_not_shown():
    old = {"name": "Old name", "before": "Old name", "after": "Older", "email": "old@example.com", "kind": "person"}
    for kind in ("user.created", "member.added", "member.renamed", "member.removed", "member.handed_over"):
        assert "Old" not in phrase(kind, old, subject="u-bea").deed
    assert phrase("invite.created", old, subject="i-2").deed == "invited someone as …"


@pytest.mark.parametrize("kind", PHRASES)
def test_every_name_that_a_phrase_needs_is_looked_up(kind):
    data = {name.rstrip("_"): f"u-{name}" for name in USER_FIELDS}
    wanted = set(placeholder_names(PHRASES[kind]))
    expected = {f"u-{name}" for name in USER_FIELDS & wanted} | ({"o-1"} if "member" in wanted else set())
    assert mentioned_user_ids(kind, "o-1", data) == expected


def test_braces_in_what_somebody_wrote_are_just_braces():
    assert phrase("goal.created", {"title": "{it} {0}"}).deed == "created the goal {it} {0}"


def test_a_kind_of_a_newer_version_is_described_by_its_name():
    assert phrase("moon.landed_on", {}, ref="PEN-7").deed == "moon landed on"


def edited(**after):
    return {"place": {"fields": list(after), "before": {}, "after": after}}


@pytest.mark.parametrize(
    ("data", "deed"),
    [
        (edited(assignee="u-bea"), "assigned PEN-7 to Bea"),
        ({"spec": {"before": None, "after": "s-1"}}, "moved PEN-7 into a spec"),
        ({"spec": {"before": "s-1", "after": None}}, "moved PEN-7 out of its spec"),
        ({"spec": {"before": "s-1", "after": "s-2"}}, "moved PEN-7 to another spec"),
        (edited(assignee="g-gone"), "assigned PEN-7 to a former member"),
        (edited(assignee=None), "removed the assignee of PEN-7"),
        (edited(due="2026-12-01"), "changed the due date of PEN-7"),
        (edited(labels=["bug"], priority=200, x=1.0), "changed the priority and labels of PEN-7"),
        (edited(x=1.0, y=2.0), "edited PEN-7"),
        (edited(due="2026-12-01") | {"revision": 2}, "edited PEN-7"),
        ({"place": {"after": ["odd"]}}, "edited PEN-7"),
        ({"place": "odd"}, "edited PEN-7"),
    ],
)
def test_what_is_edited_beside_the_texts_is_named(data, deed):
    assert phrase("action.edited", data, ref="PEN-7").deed == deed


def test_an_assignee_is_looked_up_by_id():
    assert mentioned_user_ids("action.edited", "o-1", edited(assignee="u-bea")) == {"u-bea"}
    assert mentioned_user_ids("action.edited", "o-1", edited(assignee={"odd": 1})) == set()


def test_what_was_edited_is_named_by_its_title_of_today():
    edited = phrase("spec.edited", {}, subject="s-1")
    assert edited == Phrase("edited the spec Tides", "", Titled("spec", "s-1"), "Tides")
    assert phrase("plan.activated", {}, subject="p-1", spec="s-1").about == Titled("plan", "p-1")


def test_what_was_created_keeps_the_title_that_it_was_given():
    created = phrase("document.created", {"title": "Old charts"}, subject="d-1")
    assert (created.deed, created.title) == ("created the document Old charts", "Old charts")
    assert created.about == Titled("document", "d-1")


def test_what_happens_to_a_spec_names_it():
    assert phrase("build.published", {"after": "2"}, spec="s-1").deed == "published build 2 of the spec Tides"
    commented = phrase("comment.added", {"on": "spec"}, spec="s-1")
    assert (commented.deed, commented.about) == ("commented on the spec Tides", Titled("spec", "s-1"))
    on_document = phrase("comment.added", {"document": "d-1"})
    assert (on_document.deed, on_document.about) == ("commented on the document Charts", Titled("document", "d-1"))


def test_what_is_gone_has_no_page():
    assert phrase("spec.edited", {}, subject="s-9") == Phrase("edited the spec …", "")
    assert phrase("spec.deleted", {"title": "Tides"}, subject="s-1") == Phrase("deleted the spec Tides", "")
    assert phrase("spec.created", {"title": "Tides"}, subject="s-9").about is None
