"""What Pause and Stop do to the agent at hand: clients differ in what can be done to them from outside."""

from typing import Any

_ENDS_TURN = {
    "claude-code": "Claude Code ends its turn at its next step.",
    "codex": (
        "Codex cannot be ended from outside: its next tools are denied, with the instruction to end its turn, "
        "so it may try a few more times."
    ),
}
_OTHER_CLIENT = "It gets the instruction to end its turn at its next step. Whether it does is up to the agent."
_NO_HOOKS = "It reads this with its next call to Pendesk and works on until then. Whether it ends is up to the agent."


def pause_effect(session: Any) -> str:
    return f"{_ends_turn(session)} It keeps its claims and continues with the next prompt in its terminal."


def resume_effect(session: Any) -> str:
    """A turn that has ended begins with a prompt alone; one that has not goes on as if nothing had happened."""
    request = session.control.kind.capitalize()
    if session.control.applied_at is None:
        return f"{request} cancelled."
    return f"{request} lifted. It continues with the next prompt in its terminal."


def stop_effect(session: Any) -> str:
    refs = ", ".join(held.ref_code for held in session.held)
    release = f"The claim on {refs} is" if len(session.held) == 1 else f"The claims on {refs} are"
    released = f"{release} released at once, with a hand-over for the next agent." if refs else "It holds no claim."
    return f"{_ends_turn(session)} {released}"


def _ends_turn(session: Any) -> str:
    return _ENDS_TURN.get(session.client, _OTHER_CLIENT) if session.hooks else _NO_HOOKS
