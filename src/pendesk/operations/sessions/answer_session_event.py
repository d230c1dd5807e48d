"""answer_session_event: what a hook of an agent's client is answered: news, the end of its run, or a question.

Only the root of a session reads news: what a sub-agent is told, its parent never learns. A pause or stop ends
sub-agents, too.
"""

from pendesk.domain.access import Role, Scope
from pendesk.domain.agent_session import AgentSession
from pendesk.domain.event import Event
from pendesk.domain.event_data import SessionResumedData, parse_event_data
from pendesk.domain.hook_answer import NO_ANSWER, TAKES_CONTEXT, HookAnswer
from pendesk.domain.limits import CONTROL_ECHO_US, NEWS_ITEMS
from pendesk.domain.news import calls_for_work
from pendesk.domain.session_activity import HookEvent
from pendesk.domain.session_control import ControlKind, SessionControl, control_text
from pendesk.operations.operation import Call, Kind, Operation, Output
from pendesk.operations.session_news import pop_news_of_session
from pendesk.operations.sessions.paused_leases import extend_leases_for_pause, restart_leases_after_pause
from pendesk.operations.sessions.session_event import SessionEvent
from pendesk.operations.sessions.stop_question import ask_about_unfinished_work
from pendesk.store import session_controls, session_news
from pendesk.store.engine.json_text import from_json

INTRODUCTION = "From Pendesk, where people follow your work:"


class SessionEventAnswer(Output):
    """context: for the model. keep_on: why the agent should not end its turn yet. end_run: why it must."""

    session_id: str | None
    context: str = ""
    keep_on: str = ""
    end_run: str = ""


def run(call: Call, args: SessionEvent) -> SessionEventAnswer:
    session = call.agent_session
    if session is None:
        return SessionEventAnswer(session_id=None)  # a person, who has none
    answer = _answer(call, session, args)
    return SessionEventAnswer(
        session_id=session.id, context=answer.context, keep_on=answer.keep_on, end_run=answer.end_run
    )


def _answer(call: Call, session: AgentSession, args: SessionEvent) -> HookAnswer:
    control = session_controls.of_session(call.tx, session.id)
    if control is not None:
        if not _is_prompt_of_person(call, args.event, control):
            return _apply(call, control, args.event)
        _lift(call, session, control)
    if call.actor.origin.thread:
        return NO_ANSWER
    if args.event == HookEvent.STOP:
        return _answer_end_of_turn(call, session, has_background_work=args.has_background_work)
    return HookAnswer(context=_news_text(call, session)) if args.event in TAKES_CONTEXT else NO_ANSWER


def _is_prompt_of_person(call: Call, event: HookEvent, control: SessionControl) -> bool:
    """And not what follows from ending it: a sub-agent that was ended wakes its parent by a prompt."""
    is_prompt = event == HookEvent.USER_PROMPT and not call.actor.origin.thread
    return is_prompt and (control.applied_at is None or call.now - control.applied_at >= CONTROL_ECHO_US)


def _apply(call: Call, control: SessionControl, event: HookEvent) -> HookAnswer:
    if event not in TAKES_CONTEXT:
        return NO_ANSWER  # its turn is over already
    session_controls.record_application(call.tx, control.session_id)
    if control.kind == ControlKind.PAUSE:  # once more, as a call since may have shortened them
        extend_leases_for_pause(call.tx, control.session_id, call.limits)
    session_news.take(call.tx, control.session_id, [control.event_id])
    return HookAnswer(end_run=control_text(control.kind, control.author, control.requested_at, control.reason))


def _lift(call: Call, session: AgentSession, control: SessionControl) -> None:
    """Somebody prompted it in its terminal: they want it to go on, so nothing tells it to end its turn any more."""
    session_controls.remove(call.tx, control.session_id)
    session_news.take(call.tx, control.session_id, [control.event_id])
    restart_leases_after_pause(call.tx, session.id, call.limits)
    call.record(
        Event("agent_session.resumed", session.id, data=SessionResumedData(session=session.label, by_prompt=True))
    )


def _answer_end_of_turn(call: Call, session: AgentSession, *, has_background_work: bool) -> HookAnswer:
    """What calls for work keeps it going; other news wait for the next prompt."""
    unread = session_news.unread_of_session(call.tx, session.id, NEWS_ITEMS) if session.has_news else []
    has_work = any(calls_for_work(parse_event_data(event.kind, from_json(event.data))) for event in unread)
    question = "" if has_background_work else ask_about_unfinished_work(call, session)
    texts = [_news_text(call, session) if has_work else "", question]
    return HookAnswer(keep_on="\n".join(filter(None, texts)))


def _news_text(call: Call, session: AgentSession) -> str:
    news = pop_news_of_session(call, session, "hook")
    return "\n".join([INTRODUCTION, *(f"- {item.as_plain_text()}" for item in news)]) if news else ""


OPERATION = Operation(
    name="answer_session_event",
    title="Answer a session event",
    description="For hooks of agents' clients: what people told the session since its last step, once.",
    input=SessionEvent,
    output=SessionEventAnswer,
    scope=Scope.ANY,
    role=Role.VIEWER,
    kind=Kind.WRITE,
    run=run,
)
