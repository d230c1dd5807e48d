"""What a hook of a client is answered: the JSON that the client acts on.

Claude Code and Codex read the same fields. Codex lacks one: nothing that a hook answers ends its run, so where that is
asked for, its next tools are denied with the reason, and it is left to the model to end its turn.
"""

from typing import Any, NamedTuple

from pendesk.domain.session_activity import HookEvent

# The client puts a text of these into the model's next request.
TAKES_CONTEXT = frozenset(
    {
        HookEvent.SESSION_START,
        HookEvent.USER_PROMPT,
        HookEvent.BEFORE_TOOL,
        HookEvent.AFTER_TOOL,
        HookEvent.AFTER_TOOLS,
    }
)


class HookAnswer(NamedTuple):
    """`context` is for the model. `end_run` ends the run, with the reason; `keep_on` asks an agent that is about to
    end its turn to go on, with the reason.
    """

    context: str = ""
    keep_on: str = ""
    end_run: str = ""


NO_ANSWER = HookAnswer()


def hook_answer_json(answer: HookAnswer, event: HookEvent, client: str) -> dict[str, Any]:
    if answer.end_run:
        return _end_run_json(answer.end_run, event, client)
    if answer.keep_on:
        return {"decision": "block", "reason": answer.keep_on}
    if answer.context:
        return {"hookSpecificOutput": {"hookEventName": event.value, "additionalContext": answer.context}}
    return {}


def event_after_answer(event: HookEvent, answer: HookAnswer, client: str, thread: str) -> HookEvent | None:
    """What has happened once the client has read the answer; None where nothing has: the turn goes on, or a tool was
    denied.
    """
    if answer.keep_on:
        return None
    if not answer.end_run:
        return event
    if client == "codex":
        return None if event == HookEvent.BEFORE_TOOL else event
    # The client calls no other hook of the turn that it ends.
    return HookEvent.SUBAGENT_STOP if thread else HookEvent.STOP


def _end_run_json(reason: str, event: HookEvent, client: str) -> dict[str, Any]:
    denied = {"hookEventName": event.value, "permissionDecision": "deny", "permissionDecisionReason": reason}
    if client == "codex":
        # Codex ignores an answer with a field that it does not know for the event.
        if event == HookEvent.BEFORE_TOOL:
            return {"hookSpecificOutput": denied}
        if event == HookEvent.USER_PROMPT:
            return {"decision": "block", "reason": reason}
        return {"hookSpecificOutput": {"hookEventName": event.value, "additionalContext": reason}}
    ended = {"continue": False, "stopReason": reason}
    # Without the denial the tool of this step would still run.
    return {**ended, "hookSpecificOutput": denied} if event == HookEvent.BEFORE_TOOL else ended
