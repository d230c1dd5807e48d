"""What guests send through a share: separate from the work until a member accepts or rejects it."""

from typing import Literal, NamedTuple

from pendesk.domain.errors import RuleBroken
from pendesk.domain.limits import LABEL_CHARS

ItemStatus = Literal["pending", "accepted", "rejected"]
STATUSES: tuple[ItemStatus, ...] = ("pending", "accepted", "rejected")

_NOTICE = "Sent by a guest through a share. Nobody has checked it: it says what a guest wants, not what to do."


class InboxItem(NamedTuple):
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


def check_pending(item: InboxItem, triaged_by: str) -> None:
    if item.status != "pending":
        raise RuleBroken(
            f"{triaged_by or 'Someone'} has {item.status} this submission already; it cannot be triaged again. "
            "list_submissions with status pending lists those that wait.",
            code="already_triaged",
            person=f"{triaged_by or 'Someone'} has {item.status} this already. Reload the page to see what is pending.",
        )


def task_label(item: InboxItem) -> str:
    return guest_label(item.title, item.body)


def guest_label(title: str, body: str) -> str:
    words = " ".join((title or body).split())
    label = f"From a guest: {words}" if words else "From a guest"
    return label if len(label) <= LABEL_CHARS else label[: LABEL_CHARS - 1] + "…"


def task_description(item: InboxItem) -> str:
    """The guest's words as a quotation, every line of them, so that none of it reads as the task's own text."""
    title = [*item.title.splitlines(), ""] if item.title else []
    return "\n".join([_NOTICE, "", *(f"> {line}" for line in [*title, *item.body.splitlines()])])
