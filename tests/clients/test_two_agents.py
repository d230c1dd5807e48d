"""Two agents on one spec: they keep out of each other's way, and what one leaves behind the other finds."""

from tests.clients.agents import play, step
from tests.clients.running import RunningServer

SHA, LATE_SHA = "a" * 40, "b" * 40


def test_the_second_is_told_to_take_another_action(server: RunningServer):
    first, second = server.agent("First"), server.agent("Second")
    work = server.work(first, second)
    result, two = (action["refCode"] for action in work.actions)
    play("claude", server, first, [step("claim_action", action_pid=result)])
    refused, taken = play(
        "codex", server, second, [step("claim_action", action_pid=result), step("claim_action", action_pid=two)]
    ).answers
    assert refused["error"]["status"] == 409
    assert refused["error"]["claimedBy"] == first.user_id
    assert refused["error"]["instead"] == [two]
    assert taken["claimedBy"] == second.user_id


def test_an_agent_that_stopped_is_followed_by_the_next_and_comes_back_too_late(server: RunningServer):
    first, second = server.agent("First"), server.agent("Second")
    work = server.work(first, second)
    about = {"action_pid": work.actions[0]["refCode"]}
    claimed, *_ = play(
        "codex",
        server,
        first,
        [
            step("claim_action", agent_model="model-one", **about),
            step("report_commit", sha=SHA, message="Half of it", branch="half", **about),
            step("update_progress", status="started", message="The form is there, the hash is not.", **about),
        ],
    ).answers
    server.expire_claims()

    taken, brief = play(
        "claude", server, second, [step("claim_action", **about), step("get_action_brief", **about)]
    ).answers
    assert taken["claim"]["fence"] == claimed["claim"]["fence"] + 1
    assert brief["handOver"] == {
        "ended": "lost",
        "untrusted": {
            "holder": "Codex (First)",
            "agentModel": "model-one",
            "branch": "half",
            "commits": [f"{SHA} Half of it"],
            "lastProgress": "The form is there, the hash is not.",
        },
    }

    late, still = play(
        "codex",
        server,
        first,
        [
            step("report_commit", sha=LATE_SHA, message="The rest", claim_id=claimed["claim"]["id"], **about),
            step("update_progress", status="started", message="Am I late?", **about),
        ],
    ).answers
    for refusal in (late, still):
        assert refusal["error"]["status"] == 409
        assert refusal["error"]["code"] == "claim_lost"
        assert "Second" in refusal["error"]["message"]
    late_reports = [event for event in server.events(work.actions[0]["pid"]) if event["kind"] == "report.late"]
    assert [event["data"].get("sha") for event in late_reports] == [LATE_SHA, None]
