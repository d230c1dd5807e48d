"""Agent sessions at work, for pictures: what their hooks reported, and what people wrote to them."""

from pendesk.domain.session_activity import HookEvent, Step
from pendesk.operations.sessions import save_steps
from pendesk.operations.sessions.save_steps import StepBatch
from pendesk.transports.service import Service
from tests.e2e.scene import Scene

SECOND = 1_000_000
BEFORE, AFTER = HookEvent.BEFORE_TOOL, HookEvent.AFTER_TOOL
# Seconds ago, the event, the sub-agent, its tool and the detail.
Report = tuple[int, HookEvent, str, str, str]
WORKING: list[Report] = [
    (400, HookEvent.USER_PROMPT, "", "", ""),
    (392, BEFORE, "", "mcp__pendesk__get_action_brief", ""),
    (391, HookEvent.AFTER_TOOLS, "", "", ""),
    (370, BEFORE, "", "Read", "src/harbour/config.py"),
    (369, HookEvent.AFTER_TOOLS, "", "", ""),
    (330, HookEvent.SUBAGENT_START, "a41c", "", ""),
    (326, BEFORE, "a41c", "Grep", ""),
    (325, HookEvent.AFTER_TOOLS, "a41c", "", ""),
    (310, BEFORE, "a41c", "Read", "tests/test_config.py"),
    (309, HookEvent.AFTER_TOOLS, "a41c", "", ""),
    (290, HookEvent.SUBAGENT_STOP, "a41c", "", ""),
    (240, BEFORE, "", "Edit", "src/harbour/config.py"),
    (239, HookEvent.AFTER_TOOLS, "", "", ""),
    (200, BEFORE, "", "Bash", "pytest tests/test_config.py"),
    (188, HookEvent.AFTER_TOOLS, "", "", ""),
    (120, BEFORE, "", "Edit", "tests/test_config.py"),
    (119, HookEvent.AFTER_TOOLS, "", "", ""),
    (40, BEFORE, "", "Bash", "pytest tests"),
]
IDLE: list[Report] = [
    (900, HookEvent.USER_PROMPT, "", "", ""),
    (600, BEFORE, "", "Bash", "make lint"),
    (590, HookEvent.AFTER_TOOLS, "", "", ""),
    (260, HookEvent.STOP, "", "", ""),
]


async def report_activity(service: Service, scene: Scene, now: int) -> str:
    """The session that works."""
    agents = (await scene.call(scene.owner, "list_agents"))["agents"]
    working, idle = [session["pid"] for session in agents[0]["sessions"]][:2]
    await _report(service, scene, working, WORKING, now)
    await _report(service, scene, idle, IDLE, now)
    text = "The staging database moved to port 5433: use that one in the tests."
    await scene.call(scene.owner, "send_message", agent_session_id=working, text=text)
    return str(working)


async def _report(service: Service, scene: Scene, session_id: str, reports: list[Report], now: int) -> None:
    workspace = scene.owner.workspace_id
    steps = [
        Step(workspace, session_id, event, now - seconds * SECOND, thread, "Explore" if thread else "", tool, detail)
        for seconds, event, thread, tool, detail in reports
    ]
    await service.dispatcher.call_as_server(save_steps.OPERATION, StepBatch(workspace, steps, []))
