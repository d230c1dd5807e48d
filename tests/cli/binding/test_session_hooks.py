"""The hooks as the clients read them: what is sent at which event, and nothing else."""

import json
import re

import pytest

from pendesk.cli.binding.clients import SESSION_HOOK_FILES, session_hook_snippets
from pendesk.cli.binding.record import RepoBinding
from pendesk.cli.binding.session_hooks import CLAUDE_CODE_HOOKS, CODEX_HOOKS, PLACEHOLDERS, remove_session_hooks
from pendesk.domain.session_activity import HookEvent

BINDING = RepoBinding("http://127.0.0.1:3847", "PEN", ("claude", "codex", "cursor", "vscode"), "desk")


def test_an_entry_calls_the_hidden_tool_of_the_bound_server_with_the_bound_project():
    [snippet] = [snippet for snippet in session_hook_snippets(BINDING, "claude") if "Stop" in snippet.keys]
    assert snippet.path == ".claude/settings.local.json"
    assert snippet.value == {
        "hooks": [
            {
                "type": "mcp_tool",
                "server": "desk",
                "tool": "session_event",
                "timeout": 2,
                "input": {
                    "event": "Stop",
                    "project": "PEN",
                    "session": "${session_id}",
                    "background": "${background_tasks.0.status}",
                },
            }
        ]
    }


def test_without_a_project_none_is_sent():
    for snippet in session_hook_snippets(BINDING._replace(project=None), "codex"):
        assert "project" not in snippet.value["hooks"][0]["input"]


@pytest.mark.parametrize("agent", ["cursor", "vscode"])
def test_a_client_without_such_hooks_gets_none(agent):
    assert session_hook_snippets(BINDING, agent) == []


def test_every_event_is_one_that_the_server_knows():
    assert {hook.event for hook in (*CLAUDE_CODE_HOOKS, *CODEX_HOOKS)} <= set(HookEvent)


def test_no_contents_are_sent():
    """A client expands a placeholder to all that it names: the patch of apply_patch, the answer of a tool."""
    assert set(PLACEHOLDERS.values()) == {
        "${session_id}",
        "${agent_id}",
        "${agent_type}",
        "${tool_name}",
        "${tool_use_id}",
        "${tool_input.file_path}",
        "${tool_input.command}",
        "${background_tasks.0.status}",
    }
    with_command = [hook for hook in CODEX_HOOKS if "command" in hook.arguments]
    assert [hook.matcher for hook in with_command] == ["^Bash$"]


def test_codex_is_sent_no_placeholder_that_an_event_lacks():
    """It would skip the hook without a word."""
    for hook in CODEX_HOOKS:
        has_tool = hook.event in ("PreToolUse", "PostToolUse", "PermissionRequest")
        assert ("tool" in hook.arguments) is has_tool
        assert ("agent" in hook.arguments) is hook.event.startswith("Subagent")
        assert "file" not in hook.arguments


NAMES = [
    "Bash",
    "apply_patch",
    "mcp__pendesk__claim_action",
    "spawn_agent",
    "B",
    "Ba",
    "Bas",
    "BashOutput",
    "bash",
    "Bat",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_tool_of_codex_calls_one_hook(name):
    matchers = [hook.matcher for hook in CODEX_HOOKS if hook.event == "PreToolUse"]
    assert sum(bool(re.search(matcher or "", name)) for matcher in matchers) == 1


def test_a_step_of_the_model_with_one_tool_makes_two_calls():
    around_a_tool = ("PreToolUse", "PostToolUse", "PostToolBatch")
    assert len([hook for hook in CLAUDE_CODE_HOOKS if hook.event in around_a_tool]) == 2
    assert len([hook for hook in CODEX_HOOKS if hook.event in around_a_tool]) == 3  # two of them exclude each other


def test_hooks_of_others_are_not_taken_for_ours():
    own = {"hooks": {"Stop": [{"hooks": [{"type": "mcp_tool", "server": "x", "tool": "y"}]}, 1, {"hooks": "z"}]}}
    assert remove_session_hooks(json.dumps(own)) == json.dumps(own)
    assert remove_session_hooks("{") == "{"
    assert len(SESSION_HOOK_FILES) == 2
