"""What the agents of the scene do right now, as the hooks of their clients would report it."""

from typing import NamedTuple

from pendesk import clock
from pendesk.domain.session_activity import HookEvent, Step
from pendesk.operations.sessions import save_steps
from pendesk.operations.sessions.save_steps import StepBatch
from tests.e2e.scene import CLAUDE, CLAUDE_2, CODEX, Scene

SECOND = 1_000_000


class Run(NamedTuple):
    """A tool that ran, so many seconds ago and for so long; without a length it still runs."""

    seconds_ago: float
    tool: str
    detail: str = ""
    seconds: float = 0
    thread: str = ""


CLAUDE_RUNS = [
    Run(410, "Read", "src/harbour/config.py", 0.02),
    Run(396, "Grep", "tests/config", 0.14),
    Run(371, "Agent", "", 42.6),
    Run(365, "Read", "docs/configuration.md", 0.03, "a7"),
    Run(352, "Grep", "src/harbour", 0.2, "a7"),
    Run(340, "Read", "src/harbour/rules/schema.py", 0.02, "a7"),
    Run(290, "Edit", "src/harbour/config.py", 0.08),
    Run(262, "Bash", "pytest tests/config", 14.2),
    Run(201, "Edit", "tests/config/test_unknown_keys.py", 0.06),
    Run(160, "mcp__pendesk__update_progress", "", 0.021),
    Run(121, "Bash", "pytest tests/config", 13.7),
    Run(61, "Bash", "ruff check src", 1.9),
    Run(18, "Edit", "src/harbour/config.py"),
]


async def report_steps(scene: Scene) -> None:
    ids = await session_ids(scene)
    now = clock.now_us()
    at_minute = {minutes: now - minutes * 60 * SECOND for minutes in (2, 4, 6, 9)}
    steps = [
        _step(scene, ids[CLAUDE], HookEvent.USER_PROMPT, now - 420 * SECOND),
        *(step for run in CLAUDE_RUNS for step in _steps_of_run(scene, ids[CLAUDE], run, now)),
        _step(scene, ids[CLAUDE_2], HookEvent.USER_PROMPT, at_minute[9]),
        _step(scene, ids[CLAUDE_2], HookEvent.BEFORE_TOOL, at_minute[2], tool="Bash", detail="git push origin"),
        _step(scene, ids[CLAUDE_2], HookEvent.PERMISSION, at_minute[2], tool="Bash", detail="git push origin"),
        _step(scene, ids[CODEX], HookEvent.USER_PROMPT, at_minute[6]),
        _step(scene, ids[CODEX], HookEvent.STOP, at_minute[4]),
    ]
    batch = StepBatch(scene.owner.workspace_id, sorted(steps, key=lambda step: step.at), [])
    await scene.service.dispatcher.call_as_server(save_steps.OPERATION, batch)


async def session_ids(scene: Scene) -> dict[str, str]:
    """By name; an agent without sessions has none."""
    agents = (await scene.call(scene.owner, "list_agents"))["agents"]
    return {session["name"]: session["pid"] for agent in agents for session in agent["sessions"]}


def _steps_of_run(scene: Scene, session_id: str, run: Run, now: int) -> list[Step]:
    started_at = now - int(run.seconds_ago * SECOND)
    fields = {
        "tool": run.tool,
        "detail": run.detail,
        "thread": run.thread,
        "thread_kind": "Explore" if run.thread else "",
    }
    fields["tool_use_id"] = f"use-{run.seconds_ago}"
    started = _step(scene, session_id, HookEvent.BEFORE_TOOL, started_at, **fields)
    if not run.seconds:
        return [started]
    return [started, started._replace(event=HookEvent.AFTER_TOOL, at=started_at + int(run.seconds * SECOND))]


def _step(scene: Scene, session_id: str, event: HookEvent, at: int, **fields: str) -> Step:
    return Step(scene.owner.workspace_id, session_id, event, at, **fields)
