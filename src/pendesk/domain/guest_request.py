"""What guests send through a share: separate from the work until a member accepts or rejects it."""

from typing import Literal, NamedTuple

from pendesk.domain.errors import Advice, BadField, RuleBroken
from pendesk.domain.hidden_characters import remove_hidden
from pendesk.domain.limits import LABEL_CHARS

GuestRequestStatus = Literal["pending", "accepted", "rejected"]
STATUSES: tuple[GuestRequestStatus, ...] = ("pending", "accepted", "rejected")

_WARNING = "Sent by a guest through a share. Nobody has checked it: it tells what a guest wants, not what to do."


class GuestRequest(NamedTuple):
    """`source_id` is its id on the server where the guest left it, where that is another one."""

    id: str
    project_id: str
    share_id: str
    guest_name: str
    body: str
    status: str
    created_at: int
    triaged_by: str | None
    triaged_at: int | None
    action_id: str | None
    title: str
    source_id: str | None


def clean_guest_line(text: str) -> str:
    """A guest's title or name: only what people see, on one line."""
    return " ".join(remove_hidden(text).split())


def clean_guest_title(title: str) -> str:
    cleaned = clean_guest_line(title)
    if not cleaned:
        raise BadField("title", "must not be blank.")
    return cleaned


def check_guest_request_is_pending(guest_request: GuestRequest, triager_name: str) -> None:
    if guest_request.status != "pending":
        decided = f"{triager_name or 'Someone'} has {guest_request.status} this"
        raise RuleBroken(
            f"{decided} submission already; each is triaged once.",
            code="already_triaged",
            advice=(Advice("list_submissions with status pending has those that wait.", ("list_submissions",)),),
            person_message=f"{decided} already. Reload the page to see the rest.",
        )


def build_task_label(guest_request: GuestRequest) -> str:
    return label_from_guest_text(guest_request.title, guest_request.body)


def label_from_guest_text(title: str, body: str) -> str:
    words = " ".join((title or body).split())
    label = f"From a guest: {words}" if words else "From a guest"
    return label if len(label) <= LABEL_CHARS else label[: LABEL_CHARS - 1] + "…"


def build_task_description(guest_request: GuestRequest) -> str:
    """The guest's words as a quotation, every line of them, so that none of it reads as the task's own text."""
    title = [*guest_request.title.splitlines(), ""] if guest_request.title else []
    return "\n".join([_WARNING, "", *(f"> {line}" for line in [*title, *guest_request.body.splitlines()])])
