"""What a hook is answered, and what has happened once the client has read it."""

import pytest

from pendesk.domain.hook_answer import NO_ANSWER, HookAnswer, event_after_answer, hook_answer_json
from pendesk.domain.session_activity import HookEvent
from pendesk.domain.session_control import ControlKind, control_text

BEFORE, AFTER, STOP = HookEvent.BEFORE_TOOL, HookEvent.AFTER_TOOLS, HookEvent.STOP
ENDED = HookAnswer(end_run="Wait.")


@pytest.mark.parametrize(
    ("event", "answer", "client", "thread", "happened"),
    [
        (BEFORE, NO_ANSWER, "claude-code", "", BEFORE),
        (BEFORE, HookAnswer(context="News."), "codex", "", BEFORE),
        (STOP, HookAnswer(keep_on="You still hold it."), "claude-code", "", None),
        (BEFORE, ENDED, "claude-code", "", STOP),
        (AFTER, ENDED, "claude-code", "", STOP),
        (BEFORE, ENDED, "claude-code", "a1", HookEvent.SUBAGENT_STOP),
        (BEFORE, ENDED, "codex", "", None),
        (HookEvent.AFTER_TOOL, ENDED, "codex", "", HookEvent.AFTER_TOOL),
    ],
)
def test_a_tool_that_was_denied_did_not_run_and_a_turn_that_goes_on_has_not_ended(
    event, answer, client, thread, happened
):
    assert event_after_answer(event, answer, client, thread) == happened


def test_codex_gets_no_field_that_it_does_not_know():
    assert hook_answer_json(ENDED, BEFORE, "codex") == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": "Wait.",
        }
    }
    assert hook_answer_json(ENDED, HookEvent.USER_PROMPT, "codex") == {"decision": "block", "reason": "Wait."}


def test_claude_code_is_denied_the_tool_and_its_run_ends():
    answer = hook_answer_json(ENDED, BEFORE, "claude-code")
    assert answer["continue"] is False
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert hook_answer_json(ENDED, AFTER, "claude-code") == {"continue": False, "stopReason": "Wait."}


@pytest.mark.parametrize(("reason", "words"), [("Lunch", "Lunch."), ("Lunch!", "Lunch!"), ("", "")])
def test_a_reason_is_a_sentence_of_its_own(reason, words):
    text = control_text(ControlKind.PAUSE, "Ada", 0, reason)
    assert text.startswith(
        f"Ada (person) paused this session in Pendesk, 00:00 UTC.{' Reason: ' + words if words else ''} End"
    )
