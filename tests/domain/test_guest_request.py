"""A guest's words as a task: quoted, whatever they are."""

from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.errors import RuleBroken
from pendesk.domain.guest_request import (
    GuestRequest,
    build_task_description,
    build_task_label,
    check_guest_request_is_pending,
)
from pendesk.domain.limits import LABEL_CHARS
from tests.refusals import refused


def item(body="Hello", status="pending"):
    return GuestRequest("i", "p", "s", "Guest", body, status, 0, None, None, None, "", None)


@given(st.text(min_size=1, max_size=400))
def test_the_label_is_one_line_and_the_description_a_quotation(body):
    label = build_task_label(item(body))
    assert label.startswith("From a guest")
    assert len(label) <= LABEL_CHARS
    assert len(label.splitlines()) == 1
    first, _, *quoted = build_task_description(item(body)).splitlines()
    assert first.startswith("Sent by a guest")
    assert all(line.startswith("> ") for line in quoted)
    assert [line[2:] for line in quoted] == body.splitlines()


def test_it_is_triaged_once():
    check_guest_request_is_pending(item(), "")
    for status in ("accepted", "rejected"):
        with refused(RuleBroken, "already_triaged") as caught:
            check_guest_request_is_pending(item(status=status), "Ada")
        assert caught.refusal.message.startswith(f"Ada has {status}")
