"""The hidden tool that the hooks of agents' clients call: what a session does, and what it is told in return.

It is not in tools/list, so no model sees it. A hook must never disturb its agent: whatever is wrong with a call, and
beyond the limit, the answer is an empty one.
"""

import logging
from typing import Any

import msgspec

from pendesk import clock
from pendesk.domain.access import Actor
from pendesk.domain.errors import Refusal, TooManyRequests
from pendesk.domain.hook_answer import HookAnswer, event_after_answer, hook_answer_json
from pendesk.domain.limits import KEY_CHARS
from pendesk.domain.session_activity import ENDS_TURN, HookEvent, Step, step_detail, step_name
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.sessions.answer_session_event import SessionEventAnswer
from pendesk.operations.sessions.session_event import SessionStanding
from pendesk.operations.sessions.step_buffer import StepBuffer
from pendesk.transports.call_origin import MetaOrigin, clean_text, read_call_origin
from pendesk.transports.mcp.hidden_marks import mark_hidden_in_json
from pendesk.transports.mcp.messages import Message, Params, encode
from pendesk.transports.mcp.tool_uses import ToolUses, ToolUseSource
from pendesk.transports.throttle import Throttle

log = logging.getLogger("pendesk.mcp")

TOOL = "session_event"
TOOL_OF_MCP = "mcp__"  # how clients call the tools of servers like this one
Headers = dict[bytes, bytes]


class HookArguments(msgspec.Struct):
    """What `pendesk connect` has hooks send, and anything may stand there. What is not named here is not read."""

    event: Any = None
    session: Any = None
    agent: Any = None
    agent_type: Any = None
    tool: Any = None
    tool_use_id: Any = None
    file: Any = None
    command: Any = None
    project: Any = None
    background: Any = None


def is_hook_call(message: Message) -> bool:
    """A notification is none: it has no answer, and would escape the limit of hooks as well as that of calls."""
    has_id = not isinstance(message.id, msgspec.UnsetType)
    return has_id and message.method == "tools/call" and message.params is not None and message.params.name == TOOL


class Hooks:
    def __init__(self, dispatcher: Dispatcher, throttle: Throttle, tool_uses: ToolUses, steps: StepBuffer) -> None:
        self._dispatcher = dispatcher
        self._throttle = throttle
        self._tool_uses = tool_uses
        self._steps = steps

    async def answer(self, actor: Actor, headers: Headers, params: Params) -> dict[str, Any]:
        """The result of the tool call."""
        try:
            answer = await self._answer(actor, headers, params)
        except Refusal as refusal:
            if not isinstance(refusal, TooManyRequests):
                log.info("a hook call was not answered: %s", refusal.message)
            answer = {}
        except Exception:
            log.exception("a hook call failed")
            answer = {}
        return {
            "content": [{"type": "text", "text": mark_hidden_in_json(encode(answer)).decode()}],
            "isError": False,
            "resultType": "complete",
        }

    async def _answer(self, actor: Actor, headers: Headers, params: Params) -> dict[str, Any]:
        assert actor.token_id is not None, "/mcp is reached with a token"
        await self._throttle.count_request_or_refuse(f"hooks {actor.token_id}")
        arguments = _decode_arguments(params.arguments)
        event = _hook_event(arguments.event)
        if event is None:
            return {}
        actor = actor._replace(origin=read_call_origin(headers, _meta_origin(arguments, params)))
        await self._remember_tool_use(actor, event, arguments)
        call = {
            "event": event,
            "project": clean_text(arguments.project)[:KEY_CHARS],
            "has_background_work": arguments.background == "running",
        }
        standing = await self._dispatcher.call(actor, "session_event", call)
        assert isinstance(standing, SessionStanding)
        if not standing.has_answer:
            self._add_step(actor, event, arguments, standing.session_id, standing.project_id)
            return {}
        answer = await self._dispatcher.call(actor, "answer_session_event", call)
        assert isinstance(answer, SessionEventAnswer)
        hook_answer = HookAnswer(answer.context, answer.keep_on, answer.end_run)
        happened = event_after_answer(event, hook_answer, actor.origin.client, actor.origin.thread)
        if happened is not None:
            self._add_step(actor, happened, arguments, answer.session_id, standing.project_id)
        return hook_answer_json(hook_answer, event, actor.origin.client)

    async def _remember_tool_use(self, actor: Actor, event: HookEvent, arguments: HookArguments) -> None:
        tool_use_id, session = clean_text(arguments.tool_use_id), clean_text(arguments.session)
        if event == HookEvent.BEFORE_TOOL and tool_use_id and session and _text(arguments.tool).startswith(TOOL_OF_MCP):
            source = ToolUseSource(session, actor.origin.thread)
            await self._tool_uses.record(actor.user_id, tool_use_id, source)

    def _add_step(
        self, actor: Actor, event: HookEvent, arguments: HookArguments, session_id: str | None, project_id: str | None
    ) -> None:
        assert session_id is not None, "a session that was not known was recorded by the answer"
        if event == HookEvent.STOP and arguments.background == "running":
            return  # its turn is not over: it waits for its own sub-agent or command
        step = Step(
            workspace_id=actor.workspace_id,
            session_id=session_id,
            event=event,
            at=clock.now_us(),
            thread=step_name(actor.origin.thread),
            thread_kind=step_name(_text(arguments.agent_type)),
            tool=step_name(_text(arguments.tool)) if event not in ENDS_TURN else "",
            detail=step_detail(_text(arguments.file), _text(arguments.command)) if event not in ENDS_TURN else "",
            tool_use_id=clean_text(arguments.tool_use_id),
            project_id=project_id,
        )
        self._steps.add(step)


def _decode_arguments(raw: msgspec.Raw) -> HookArguments:
    try:
        return msgspec.json.decode(raw, type=HookArguments)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return HookArguments()


def _hook_event(name: Any) -> HookEvent | None:
    try:
        return HookEvent(name)
    except ValueError:
        return None


def _meta_origin(arguments: HookArguments, params: Params) -> MetaOrigin:
    """Codex names the thread of a hook in `_meta`: the root's is the session itself."""
    meta = params.meta
    return MetaOrigin(
        session=meta.session if meta else None,
        client_session=arguments.session,
        thread=arguments.agent or (meta.codex_thread if meta else None),
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
