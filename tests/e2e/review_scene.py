"""A desk where a whole loop was lived through: handed in, sent back, reworded, handed in again; other things wait.

It is seeded by a clock that a hand moves, up to this moment, into a data folder that a server then serves.
"""

from pathlib import Path
from unittest import mock

from pendesk import clock
from pendesk.domain.checks import CheckState, CiCheck
from pendesk.main import open_service
from pendesk.settings import load
from pendesk.store import checks
from tests.desk import MINUTE, HandClock
from tests.e2e.scene import CLAUDE, CLAUDE_2, SHAS, Scene, furnish
from tests.guest_requests import put_item

REPOSITORY = "https://github.com/fernhill/harbour"
REWORKED, STRAY = SHAS[30], SHAS[31]
REPORT = """<testsuite name="harbour">
<testcase classname="tests.test_store" name="test_AC_1_opens_an_empty_file"/>
<testcase classname="tests.test_store" name="test_AC_2_keeps_every_result"/>
<testcase classname="tests.test_store" name="test_AC_3_two_threads"/>
<testcase classname="tests.test_store" name="test_the_banner_has_a_version"/>
</testsuite>"""
SINCE_MINUTES = 193


async def seed(data: Path) -> str:
    """The token of an agent of the scene, for what it does once the folder is served."""
    hand = HandClock()
    hand.now = clock.now_us() - SINCE_MINUTES * MINUTE
    with mock.patch.object(clock, "now_us", hand):
        async with open_service(
            load(data_folder=str(data), options={}, environ={}), "http://127.0.0.1:3847"
        ) as service:
            scene = await furnish(service, lambda minutes: hand.forward(int(minutes * MINUTE)))
            await _live_through(scene, hand)
    return scene.tokens[CLAUDE]


async def _live_through(scene: Scene, hand: HandClock) -> None:
    agent, ref = scene.people[CLAUDE], {"action_pid": "HRB-3"}
    project = await scene.call(scene.owner, "update_project", project_id="HRB", repository_url=REPOSITORY)
    text = "The page says we were down on Sunday, but we were not. Could it show who checked, and from where?"
    await put_item(
        scene.service.dispatcher.store, scene.owner.workspace_id, project["pid"], text, "Mirja from Support", hand()
    )
    hand.forward(5 * MINUTE)
    brief = await scene.call(agent, "get_action_brief", **ref)
    ids = [criterion["id"] for criterion in brief["action"]["acceptanceCriteria"]]
    verdicts = [
        {"criterionId": ids[0], "verdict": "confirmed"},
        {"criterionId": ids[1], "verdict": "rejected", "note": "The second migration loses the index."},
    ]
    items = [{"text": "Say in the README how to move a database by hand."}]
    await scene.call(
        scene.owner,
        "review_action",
        **ref,
        verdict="changes_requested",
        summary="Nearly. The migrations are not safe yet.",
        verdicts=verdicts,
        items=items,
    )
    hand.forward(10 * MINUTE)
    await _reword(scene, brief["spec"]["pid"], ids[3])
    hand.forward(10 * MINUTE)
    await _hand_in_again(scene, ids, hand, project["pid"])
    # A sign of life of those at work, so that no claim runs out while a slow test looks.
    for name, at_work, message in (
        (CLAUDE_2, "HRB-4", "Two rules of four."),
        ("Bo Okafor", "HRB-13", "Nearly there."),
    ):
        report = {"action_pid": at_work, "status": "started", "message": message}
        await scene.call(scene.people[name], "update_progress", **report)


async def _reword(scene: Scene, spec_id: str, criterion_id: str) -> None:
    spec = await scene.call(scene.owner, "get_spec_draft", spec_id=spec_id)
    boundaries = [*spec["boundaries"], "No migration may need more than a minute for a year of results."]
    await scene.call(scene.owner, "update_spec", spec_id=spec_id, boundaries=boundaries)
    await scene.call(scene.owner, "publish_build", spec_id=spec_id)
    await scene.call(
        scene.owner, "update_criterion", criterion_id=criterion_id, text="A newer database is refused with its version."
    )


async def _hand_in_again(scene: Scene, ids: list[str], hand: HandClock, project_id: str) -> None:
    agent, ref = scene.people[CLAUDE], {"action_pid": "HRB-3"}
    brief = await scene.call(agent, "get_action_brief", **ref)
    await scene.call(agent, "report_commit", **ref, sha=STRAY, message="Tidy the imports", criterion_ids=[])
    fixed = "Keep the index in the second migration\n\nFound by the review."
    await scene.call(agent, "report_commit", **ref, sha=REWORKED, message=fixed, criterion_ids=[ids[1]])
    await scene.call(agent, "upload_test_report", **ref, format="junit", content=REPORT)
    green = CiCheck(project_id, REWORKED, "build", CheckState.PASSED, f"{REPOSITORY}/actions/1", hand(), "success")
    await scene.service.dispatcher.store.write(scene.owner.workspace_id, lambda tx: checks.save(tx, green))
    notes = [("fixed", f"In {REWORKED[:10]}, with a test."), ("deferred", "The README is written with HRB-19.")]
    items = brief["review"]["items"]
    dispositions = [
        {"itemId": item["id"], "disposition": word, "note": note}
        for item, (word, note) in zip(items, notes[::-1], strict=True)
    ]
    await scene.call(
        agent,
        "resubmit_for_review",
        **ref,
        pr_url=f"{REPOSITORY}/pull/3",
        summary=f"The second migration keeps its index ({REWORKED[:10]}); a test moves a year of results.",
        evidence=[{"criterionId": ids[1], "evidence": "tests/test_store.py::test_AC_2_keeps_every_result"}],
        dispositions=dispositions,
    )
