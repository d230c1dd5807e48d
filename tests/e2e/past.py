"""Four weeks of a second project, for the pictures: two models at work, questions, second rounds, a burn-up."""

from typing import Any

from pendesk.domain.access import Actor
from tests.e2e.scene import CLAUDE, CODEX, Pause, Scene

DAY = 24 * 60  # minutes
# Each action with the day on which it is built, by whom, how long that and the review take (minutes), and how it goes.
PLAN: list[tuple[str, str, str, int, int, int, str]] = [
    ("Read settings from one file", "ops", CLAUDE, 2, 18, 60, ""),
    ("Keep readings in a table per day", "database", CODEX, 3, 24, 190, "again"),
    ("Accept readings over HTTP", "api", CLAUDE, 4, 21, 45, ""),
    ("Refuse readings from the future", "api", CLAUDE, 6, 12, 30, "asked"),
    ("Draw a day as a curve", "ui", CODEX, 9, 26, 320, "again"),
    ("Mark gaps instead of joining them", "ui", CLAUDE, 10, 16, 75, ""),
    ("Compare two days", "ui", CLAUDE, 11, 22, 50, ""),
    ("Warn when a lamp stays dark", "api", CODEX, 13, 25, 140, "asked"),
    ("Send the warning once, not every minute", "api", CLAUDE, 16, 19, 40, ""),
    ("Thin out readings older than a year", "database", CLAUDE, 18, 23, 210, "again"),
    ("Back up while readings arrive", "ops", CLAUDE, 20, 17, 65, ""),
    ("Show the warnings of a week", "ui", CODEX, 23, 21, 90, ""),
    ("Explain the curve to newcomers", "docs", CLAUDE, 25, 11, 35, ""),
    ("Export a month as CSV", "api", "", 0, 0, 0, ""),
    ("Put lamps on a map", "ui", "", 0, 0, 0, ""),
]


async def live_through(scene: Scene, pause: Pause) -> None:
    await _go_on_writing(scene)
    actions = await _write(scene)
    today = 0
    for action, (_, _, agent, day, minutes, waits, how) in zip(actions, PLAN, strict=True):
        if agent:
            pause((day - today) * DAY)
            today = day
            await _build(scene, pause, action["refCode"], agent, minutes, how)
            await _review(scene, pause, action, agent, waits, twice=how == "again")
    pause(2 * DAY)


async def _go_on_writing(scene: Scene) -> None:
    """What the sample's people wrote since: a spec that has moved on from its build, and a comment."""
    spec = (await scene.call(scene.owner, "list_specs", project_id="HRB"))["specs"][0]
    draft = await scene.call(scene.owner, "get_spec_draft", spec_id=spec["pid"])
    results = [line.replace("120 seconds", "90 seconds") for line in draft["results"]]
    await scene.call(
        scene.owner,
        "update_spec",
        spec_id=spec["pid"],
        results=[*results, "A check that hangs is ended and recorded as unknown."],
        summary=draft["summary"].replace("runs every check on its interval", "runs every check on its own interval"),
    )
    document = (await scene.call(scene.owner, "list_documents", project_id="HRB"))["documents"][0]
    await scene.call(
        scene.people["Bo Okafor"],
        "add_comment",
        document_id=document["pid"],
        passage="Percentages are rounded down.",
        body="Also on the page for visitors? There 99.96 % reads better than 99.9 %.",
    )


async def _write(scene: Scene) -> list[dict[str, Any]]:
    owner = scene.owner
    project = await scene.call(
        owner,
        "create_project",
        name="Lantern",
        key="LAN",
        description="Readings of street lamps as curves that a caretaker can read, and a warning when one stays dark.",
    )
    spec = await scene.call(
        owner,
        "create_spec",
        project_id=project["pid"],
        title="A caretaker sees every lamp",
        summary="Lamps send what they draw; a caretaker sees at a glance which one needs a visit.",
        results=["A dark lamp is known within ten minutes"],
        conditions=["One process, one file"],
        boundaries=["No remote control of lamps"],
    )
    plan = await scene.call(owner, "create_plan", spec_id=spec["pid"], title="From the lamp to the curve", approach="")
    actions = []
    for label, area, *_ in PLAN:
        fields = {"label": label, "area": area, "criteria": [f"{label}: shown by a test", "The page says so in words"]}
        actions.append(await scene.call(owner, "create_action", plan_id=plan["pid"], **fields))
    for user_id in scene.user_ids():
        await scene.call(owner, "add_participant", spec_id=spec["pid"], user_id=user_id)
    await scene.call(owner, "activate_plan", plan_id=plan["pid"])
    await scene.call(owner, "publish_build", spec_id=spec["pid"])
    return actions


async def _build(scene: Scene, pause: Pause, ref: str, agent: str, minutes: int, how: str) -> None:
    ids = await scene.build(agent, ref, 1)
    if how == "asked":
        question = await scene.call(
            scene.people[agent], "request_clarification", action_pid=ref, question="How far off may a clock be?"
        )
        pause(minutes / 2)
        await scene.call(
            scene.owner,
            "answer_question",
            clarification_pid=question["pid"],
            answer="Two minutes; what is further off is refused with both times in the message.",
        )
    pause(minutes / 2)
    await _test(scene, scene.people[agent], ref, ids)
    await scene.submit(agent, ref, ids)


async def _test(scene: Scene, agent: Actor, ref: str, ids: list[str]) -> None:
    for criterion_id in ids:
        report = {"criterion_id": criterion_id, "outcome": "passed", "evidence": "make check: 41 passed"}
        await scene.call(agent, "report_test_result", action_pid=ref, **report)


async def _review(scene: Scene, pause: Pause, action: dict[str, Any], agent: str, waits: int, *, twice: bool) -> None:
    ref, ids = action["refCode"], [criterion["id"] for criterion in action["criteria"]]
    pause(waits)
    if twice:
        item = {"text": "A gap of a whole day is drawn as a line.", "criterionId": ids[0]}
        await scene.call(
            scene.owner, "review_action", action_pid=ref, verdict="changes_requested", summary="Close.", items=[item]
        )
        pause(20)
        await scene.resubmit(agent, ref)
        pause(15)
    verdicts = [{"criterionId": criterion_id, "verdict": "confirmed"} for criterion_id in ids]
    await scene.call(
        scene.owner, "review_action", action_pid=ref, verdict="approved", summary="Good.", verdicts=verdicts
    )
