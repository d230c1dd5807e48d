"""The plan is published again while an agent is at work."""

from typing import Any

from tests.clients.agents import play, step
from tests.clients.running import RunningServer


def test_the_very_next_result_says_so_and_the_brief_shows_the_difference(server: RunningServer, client: str):
    agent = server.agent("Builder")
    work = server.work(agent)
    about = {"action_pid": work.actions[0]["refCode"]}

    def publish_again(tool: str, _answer: dict[str, Any]) -> None:
        if tool == "report_commit":
            server.person("update_plan", plan_id=work.plan_id, approach="Begin with the hash.")
            server.person("publish_build", spec_id=work.spec_id)

    played = play(
        client,
        server,
        agent,
        [
            step("claim_action", **about),
            step("get_action_brief", **about),
            step("report_commit", sha="a" * 40, message="Form", **about),
            step("update_progress", status="started", message="The form is there.", **about),
            step("get_action_brief", **about),
            step("submit_for_review", pr_url="https://git.example.com/1", summary="All of it.", **about),
        ],
        publish_again,
    )
    _claimed, before, commit, progress, after, submitted = played.answers
    assert "advisory" not in commit
    assert "get_action_brief" in progress["advisory"]
    assert after["changes"] == [{"field": "plan.approach", "diff": after["changes"][0]["diff"]}]
    assert "-Begin with the form.\n+Begin with the hash." in after["changes"][0]["diff"]
    assert after["briefRev"] != before["briefRev"]
    assert submitted["status"] == "in-review"
    assert "newer build" not in submitted["next_step"]  # its brief was read
