"""A person's message to agents at work: to a session, to whoever holds an action, or to all who work in a project.

It is delivered once to each session, with its next step or its next call, and acknowledged by that session's next
report. What an agent reads begins with who wrote it and when, and nobody else's words can begin like that.
"""

import re
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal, NamedTuple

from pendesk.domain.access import Actor, Role
from pendesk.domain.action import ActionState
from pendesk.domain.agent_session import AgentSession
from pendesk.domain.claim import ActionFacts, is_held_even_if_expired
from pendesk.domain.errors import BadField, RoleForbids, RuleBroken
from pendesk.domain.event import Event, EventData, EventKind
from pendesk.domain.hidden_characters import remove_hidden
from pendesk.domain.iso_time import to_iso
from pendesk.domain.limits import MESSAGES_QUEUED

DeliveryChannel = Literal["hook", "tool"]

PREFIX = "Message from"
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_NOT_IN_NAMES = re.compile(r'[()\[\]{}:;,"]')
_COMPARED_CHARS = 100
_CLOSED = (ActionState.DONE, ActionState.WONT_DO)


class Message(NamedTuple):
    """`session_id`, or `action_id` with its project, or `project_id` alone: whom it is addressed to. `event_id` is
    that of the event that recorded it.
    """

    id: str
    project_id: str | None
    action_id: str | None
    session_id: str | None
    author_id: str
    text: str
    sent_at: int
    event_id: int
    cancelled_at: int | None

    @property
    def audience(self) -> str:
        if self.session_id is not None:
            return "session"
        return "action" if self.action_id is not None else "project"


class MessageDelivery(NamedTuple):
    message_id: str
    session_id: str
    delivered_at: int | None
    delivered_by: DeliveryChannel | None
    acknowledged_at: int | None
    acknowledgement: str | None

    @property
    def state(self) -> "DeliveryState":
        if self.acknowledged_at is not None:
            return DeliveryState.ACKNOWLEDGED
        return DeliveryState.QUEUED if self.delivered_at is None else DeliveryState.DELIVERED


class DeliveryState(StrEnum):
    QUEUED = "queued"
    DELIVERED = "delivered"
    ACKNOWLEDGED = "acknowledged"


def clean_message_text(text: str) -> str:
    """Only what people see: no marks that turn the direction of text, no tags, no other invisible characters."""
    visible = remove_hidden(_LINE_ENDS.sub("\n", text)).strip()
    if not visible:
        raise BadField("text", "must not be blank.")
    return visible


def message_as_read(author_name: str, sent_at: int, text: str, acknowledging_tool: str) -> str:
    """What the agent reads. No line but the first begins at the margin, as the first of another message would."""
    name = " ".join(_NOT_IN_NAMES.sub(" ", remove_hidden(author_name)).split())
    words = text.replace("\n", "\n  ")
    hint = f"(Acknowledge with your next {acknowledging_tool}.)"
    return f"{PREFIX} {name} (person), {to_iso(sent_at)[11:16]} UTC: {words} {hint}"


def quoted_if_like_message(text: str) -> str:
    """The words of others, which must not pass for a person's message."""
    lines = text.replace("\n", "\n  ")
    start = unicodedata.normalize("NFKC", text[:_COMPARED_CHARS]).casefold()
    letters = "".join(filter(str.isalnum, start))
    return f'"{lines}"' if letters.startswith(PREFIX.replace(" ", "").casefold()) else lines


def message_event(message: Message, kind: EventKind, data: EventData | Mapping[str, Any]) -> Event:
    return Event(kind, message.id, message.project_id, action_id=message.action_id, data=data)


def holder_session_of_action(facts: ActionFacts) -> AgentSession | None:
    """Who reads a message to the action now; None where it waits for whoever claims the action next."""
    if facts.action.state in _CLOSED:
        raise RuleBroken(
            f"{facts.ref} is closed, so no agent works on it. Reopen it first, or write to another action.",
            code="action_closed",
        )
    claim, session = facts.claim, facts.holder_session
    if claim is None or not is_held_even_if_expired(claim):
        return None
    if session is None:
        raise RuleBroken(
            f"{facts.holder} works on {facts.ref} in person, so no agent would read it. Write to them instead.",
            code="held_by_person",
        )
    return session if session.ended_at is None else None


def check_somebody_at_work(project_key: str, session_ids: list[str]) -> None:
    if not session_ids:
        raise RuleBroken(
            f"No agent works in {project_key} now. Write to one of its actions instead: whoever claims it next reads "
            "the message.",
            code="nobody_at_work",
        )


def check_room_in_queue(queued: int, recipient: str) -> None:
    if queued >= MESSAGES_QUEUED:
        raise RuleBroken(
            f"{queued} messages to {recipient} are not delivered yet; more than {MESSAGES_QUEUED} cannot wait. Cancel "
            "one that is out of date, or send this later.",
            code="too_many_queued",
        )


def check_may_cancel(message: Message, actor: Actor) -> None:
    if message.author_id != actor.user_id and actor.role < Role.ADMIN:
        raise RoleForbids("Only who wrote a message, or an admin, may cancel it. Ask one of them.")
    if message.cancelled_at is not None:
        raise RuleBroken("This message is cancelled already, so there is nothing to do.", code="already_cancelled")


def check_not_yet_delivered(deliveries: list[MessageDelivery]) -> None:
    """Where nobody is to read it yet, it waits."""
    if deliveries and all(delivery.delivered_at is not None for delivery in deliveries):
        raise RuleBroken(
            "Every agent it was for has read this message, so it cannot be cancelled. Send another that corrects it.",
            code="already_delivered",
        )
