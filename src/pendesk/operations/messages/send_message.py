"""send_message: a person writes to agents while they work."""

from typing import Annotated, NamedTuple

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.event_data import MessageSentData
from pendesk.domain.limits import AGENT_MESSAGE_CHARS, MESSAGES_QUEUED
from pendesk.domain.message import (
    Message,
    check_room_in_queue,
    check_somebody_at_work,
    clean_message_text,
    holder_session_of_action,
    message_event,
)
from pendesk.ids import new_id
from pendesk.operations.actions.find import find_and_lock_action
from pendesk.operations.fields import ActionPid, IdempotencyKey, ProjectId
from pendesk.operations.messages.deliver import queue_for_session
from pendesk.operations.messages.find import check_one_recipient
from pendesk.operations.messages.message_results import MessageResult, message_results
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import find_project
from pendesk.operations.sessions.find import AgentSessionId, check_session_live, find_agent_session
from pendesk.store import actions, agent_sessions, messages
from pendesk.store.messages import MessageRow


class SendMessage(Input):
    text: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=AGENT_MESSAGE_CHARS,
            pattern=r"\S",
            description="What the agent reads, with your name and the time before it.",
        ),
    ]
    agent_session_id: Annotated[AgentSessionId, Meta(description="To this agent session.")] | None = None
    action_pid: Annotated[ActionPid, Meta(description="To whoever holds this action, or claims it next.")] | None = None
    project_id: Annotated[ProjectId, Meta(description="To every agent at work in this project.")] | None = None
    idempotency_key: IdempotencyKey | None = None


class _Recipients(NamedTuple):
    """Whom it is addressed to, and the sessions that read it now."""

    project_id: str | None
    action_id: str | None
    session_id: str | None
    reading_session_ids: list[str]


def run(call: Call, args: SendMessage) -> MessageResult:
    check_one_recipient(args.agent_session_id, args.action_pid, args.project_id)
    text = clean_message_text(args.text)
    recipients = _lock_and_find_recipients(call, args)
    message = _create_message(call, text, recipients)
    messages.add(call.tx, message)
    for session_id in recipients.reading_session_ids:
        queue_for_session(call, message.id, session_id, message.event_id)
    if message.action_id is not None:
        actions.set_newest_event_for_holder(call.tx, message.action_id, message.event_id)
    return message_results(call, [_saved_row(call, message.id)])[0]


def _lock_and_find_recipients(call: Call, args: SendMessage) -> _Recipients:
    """Nobody else sends to them until the commit: how many messages wait is counted."""
    if args.action_pid is not None:
        return _recipients_of_action(call, args.action_pid)
    if args.project_id is not None:
        call.require_worker_thread()  # hundreds may work in it
    if args.agent_session_id is not None:
        session = find_agent_session(call, args.agent_session_id)
        check_session_live(session)
        messages.lock_senders(call.tx, [session.id])
        check_room_in_queue(messages.count_queued_of_session(call.tx, session.id), session.label)
        return _Recipients(None, None, session.id, [session.id])
    return _recipients_in_project(call, args.project_id or "")


def _recipients_of_action(call: Call, action_pid: str) -> _Recipients:
    facts = find_and_lock_action(call, action_pid)
    holder = holder_session_of_action(facts)
    action = facts.action
    if holder is None:
        waiting = messages.waiting_on_action(call.tx, action.id, MESSAGES_QUEUED)
        check_room_in_queue(len(waiting), facts.ref)
        return _Recipients(action.project_id, action.id, None, [])
    messages.lock_senders(call.tx, [holder.id])
    check_room_in_queue(messages.count_queued_of_session(call.tx, holder.id), holder.label)
    return _Recipients(action.project_id, action.id, None, [holder.id])


def _recipients_in_project(call: Call, project_id: str) -> _Recipients:
    project = find_project(call, project_id)
    sessions = agent_sessions.at_work_in_project(call.tx, project.id)
    check_somebody_at_work(project.key, [session.id for session in sessions])
    messages.lock_senders(call.tx, [session.id for session in sessions])
    for session in sessions:
        check_room_in_queue(messages.count_queued_of_session(call.tx, session.id), session.label)
    return _Recipients(project.id, None, None, [session.id for session in sessions])


def _create_message(call: Call, text: str, recipients: _Recipients) -> Message:
    message = Message(
        id=new_id(),
        project_id=recipients.project_id,
        action_id=recipients.action_id,
        session_id=recipients.session_id,
        author_id=call.actor.user_id,
        text=text,
        sent_at=call.now,
        event_id=0,
        cancelled_at=None,
    )
    data = MessageSentData(text=text, audience=message.audience, session_ids=recipients.reading_session_ids)
    return message._replace(event_id=call.record_returning_id(message_event(message, "message.sent", data)))


def _saved_row(call: Call, message_id: str) -> MessageRow:
    row = messages.by_id(call.tx, message_id)
    assert row is not None
    return row


OPERATION = Operation(
    name="send_message",
    title="Send a message to agents",
    description=(
        "Write to agents while they work: to a session, to whoever holds an action, or to all at work in a project. "
        "Each reads it once, with its next step or call. On an action that nobody holds it waits for who claims it "
        "next. Refused: 422 the session has ended, a person holds the action, nobody works in the project, or 20 "
        "messages wait already (too_many_queued)."
    ),
    input=SendMessage,
    output=MessageResult,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
