from types import SimpleNamespace
from typing import Any

from pendesk.transports.web.parts.control_effects import pause_effect, resume_effect, stop_effect


def session(client: str, *refs: str, hooks: bool = True) -> Any:
    return SimpleNamespace(client=client, hooks=hooks, held=[SimpleNamespace(ref_code=ref) for ref in refs])


def test_pause_says_what_the_client_at_hand_can_do():
    assert pause_effect(session("claude-code")).startswith("Claude Code ends its turn at its next step.")
    assert pause_effect(session("codex")).startswith("Codex cannot be ended from outside:")
    assert "up to the agent" in pause_effect(session("cursor"))
    for client in ("claude-code", "codex", "cursor"):
        assert pause_effect(session(client, hooks=False)).startswith("It reads this with its next call to Pendesk")
        assert pause_effect(session(client)).endswith(" continues with the next prompt in its terminal.")


def test_stop_names_the_claims_that_it_releases():
    assert stop_effect(session("codex", "HRB-2")).endswith(
        "The claim on HRB-2 is released at once, with a hand-over for the next agent."
    )
    assert "The claims on HRB-2, HRB-4 are released" in stop_effect(session("claude-code", "HRB-2", "HRB-4"))
    assert stop_effect(session("claude-code")).endswith("It holds no claim.")


def test_resume_says_that_an_ended_turn_needs_a_prompt():
    paused = session("claude-code")
    paused.control = SimpleNamespace(kind="pause", applied_at=None)
    assert resume_effect(paused) == "Pause cancelled."
    paused.control.applied_at = "2026-11-16T14:03:59Z"
    assert resume_effect(paused) == "Pause lifted. It continues with the next prompt in its terminal."
