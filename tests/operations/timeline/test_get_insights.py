"""What the past tells, on a workspace that lived through it."""

import pytest

from pendesk.domain.errors import NotFound
from pendesk.domain.limits import DAY_US
from pendesk.operations.timeline import get_insights
from tests.desk import MINUTE
from tests.refusals import refused
from tests.workbench import next_door, published_spec

PR = "https://github.com/pendesk/pendesk/pull/1"


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada")


async def submit(desk, agent, action, model=None):
    """Claimed, and handed in half an hour later."""
    given = {"agent_model": model} if model else {}
    await desk.call(agent, "claim_action", action_pid=action["pid"], **given)
    await build_and_submit(desk, agent, action)


async def build_and_submit(desk, agent, action):
    pid = action["pid"]
    desk.clock.forward(20 * MINUTE)
    await desk.call(agent, "update_progress", action_pid=pid, status="started", message="Half of it is done.")
    desk.clock.forward(10 * MINUTE)
    for criterion in action["criteria"]:
        await desk.call(agent, "report_test_result", action_pid=pid, criterion_id=criterion, outcome="passed")
    await desk.call(agent, "submit_for_review", action_pid=pid, pr_url=PR, summary="Done.")


async def approve(desk, person, action):
    verdicts = [{"criterionId": each, "verdict": "confirmed"} for each in action["criteria"]]
    judged = {"action_pid": action["pid"], "verdict": "approved", "summary": "Good.", "verdicts": verdicts}
    await desk.call(person, "review_action", **judged)


async def send_back(desk, person, action):
    judged = {"action_pid": action["pid"], "verdict": "changes_requested", "summary": "Not yet."}
    await desk.call(person, "review_action", items=[{"text": "Once more."}], **judged)


async def test_an_empty_workspace_has_a_past_of_zeros(desk, ada):
    told = await desk.call(ada, "get_insights", days=3)
    assert [(row["scope"], row["done"]) for row in told["days"]] == [(0, 0)] * 3
    assert told["cycle"] == {"count": 0, "medianSeconds": 0, "p90Seconds": 0}
    assert told["firstPass"] == {"reviewed": 0, "passed": 0}
    assert told["models"] == []


async def test_work_that_was_reviewed(desk, ada):
    grace = await desk.person("Grace")
    work = await published_spec(desk, ada, actions=3, participants=(grace,))
    desk.clock.forward(DAY_US)
    await submit(desk, grace, work.actions[0], "Opus 5")
    desk.clock.forward(30 * MINUTE)
    await approve(desk, ada, work.actions[0])
    await submit(desk, grace, work.actions[1], "Codex 9")
    desk.clock.forward(90 * MINUTE)
    await send_back(desk, ada, work.actions[1])

    told = await desk.call(ada, "get_insights", days=3, project_id=work.project_id)
    assert [(row["scope"], row["done"]) for row in told["days"]] == [(0, 0), (3, 0), (3, 1)]
    assert told["cycle"] == {"count": 1, "medianSeconds": 3600, "p90Seconds": 3600}
    assert told["reviews"] == {"count": 2, "medianSeconds": 3600, "p90Seconds": 5400}
    assert told["firstPass"] == {"reviewed": 2, "passed": 1}
    opus, codex = told["models"]
    assert (opus["agentModel"], opus["done"], opus["firstPass"]) == ("Opus 5", 1, {"reviewed": 1, "passed": 1})
    assert (codex["agentModel"], codex["done"], codex["firstPass"]) == ("Codex 9", 0, {"reviewed": 1, "passed": 0})


async def test_a_day_before_the_first_counts_but_is_not_shown(desk, ada):
    work = await published_spec(desk, ada, actions=2)
    desk.clock.forward(5 * DAY_US)
    told = await desk.call(ada, "get_insights", days=2, project_id=work.project_id)
    assert [(row["scope"], row["done"]) for row in told["days"]] == [(2, 0), (2, 0)]


async def test_a_dropped_task_is_not_to_do_and_one_done_by_hand_has_no_cycle(desk, ada):
    project = (await desk.call(ada, "create_project", name="Pendesk"))["pid"]
    tasks = [await desk.call(ada, "create_task", project_id=project, label=f"Task {each}") for each in range(3)]
    await desk.call(ada, "update_task", task_id=tasks[0]["pid"], status="wont_do", reason="Not needed.")
    await desk.call(ada, "update_task", task_id=tasks[1]["pid"], status="done")
    told = await desk.call(ada, "get_insights", days=1)
    assert (told["days"][0]["scope"], told["days"][0]["done"]) == (2, 1)
    assert told["cycle"]["count"] == 0
    assert [(row["agentModel"], row["done"]) for row in told["models"]] == [(None, 1)]


async def test_how_long_agents_wait_for_an_answer(desk, ada):
    grace = await desk.person("Grace")
    work = await published_spec(desk, ada, participants=(grace,))
    pid = work.actions[0]["pid"]
    await desk.call(grace, "claim_action", action_pid=pid)
    for minutes in (1, 3, 8):
        asked = await desk.call(grace, "request_clarification", action_pid=pid, question="Which colour?")
        desk.clock.forward(minutes * MINUTE)
        await desk.call(ada, "answer_question", clarification_pid=asked["pid"], answer="Blue.")
    told = await desk.call(ada, "get_insights")
    assert told["answers"] == {"count": 3, "medianSeconds": 180, "p90Seconds": 480}


async def test_another_projects_past_stays_there(desk, ada):
    await published_spec(desk, ada, actions=2)
    other = await desk.call(ada, "create_project", name="Other")
    told = await desk.call(ada, "get_insights", days=1, project_id=other["key"])
    assert told["days"][0]["scope"] == 0
    away = await next_door(desk)
    hers = await away.call(await away.person("Eve"), "get_insights", days=1)
    assert hers["days"][0]["scope"] == 0
    with refused(NotFound):
        await away.call(await away.person("Eve"), "get_insights", project_id=other["pid"])


async def test_rework_by_the_same_claim_does_not_shorten_the_cycle(desk, ada):
    """The lease of the rework begins anew; the work began with the first."""
    work = await published_spec(desk, ada, actions=1)
    (action,) = work.actions
    await submit(desk, ada, action)
    await send_back(desk, ada, action)
    desk.clock.forward(60 * MINUTE)
    await desk.call(ada, "claim_action", action_pid=action["pid"])
    await desk.call(ada, "resubmit_for_review", action_pid=action["pid"], pr_url=PR, summary="Again.")
    await approve(desk, ada, action)
    assert (await desk.call(ada, "get_insights"))["cycle"]["medianSeconds"] == 90 * 60


async def test_each_agent_by_what_it_did(desk, ada, terminal):
    codex, claude, second_claude = terminal(client="codex"), terminal(process="1"), terminal(process="2")
    work = await published_spec(desk, ada, actions=4)
    await submit(desk, claude, work.actions[0])
    desk.clock.forward(40 * MINUTE)
    await approve(desk, ada, work.actions[0])
    await submit(desk, second_claude, work.actions[1])
    await send_back(desk, ada, work.actions[1])
    await desk.call(
        second_claude, "resubmit_for_review", action_pid=work.actions[1]["pid"], pr_url=PR, summary="Again."
    )
    await approve(desk, ada, work.actions[1])
    pid = work.actions[2]["pid"]
    await desk.call(codex, "claim_action", action_pid=pid)
    question = await desk.call(codex, "request_clarification", action_pid=pid, question="Which colour?")
    desk.clock.forward(10 * MINUTE)
    await desk.call(ada, "answer_clarification", clarification_pid=question["pid"], answer="Blue.")
    await build_and_submit(desk, codex, work.actions[2])
    await submit(desk, ada, work.actions[3])  # in person: no agent's
    insights = await desk.call(ada, "get_insights", project_id=work.project_id)
    half_an_hour = {"count": 2, "medianSeconds": 1800, "p90Seconds": 1800}
    assert insights["agents"] == [
        {
            "pid": insights["agents"][0]["pid"],
            "name": "Claude Code on ada-laptop",
            "user": "Ada",
            "done": 2,
            "submit": half_an_hour,
            "firstPass": {"reviewed": 2, "passed": 1},
            "reworks": 1,
            "waits": 3,
            "waitedSeconds": 2400,
        },
        {
            "pid": insights["agents"][1]["pid"],
            "name": "Codex on ada-laptop",
            "user": "Ada",
            "done": 0,
            "submit": {"count": 1, "medianSeconds": 2400, "p90Seconds": 2400},
            "firstPass": {"reviewed": 0, "passed": 0},
            "reworks": 0,
            "waits": 1,
            "waitedSeconds": 600,
        },
    ]


async def test_agents_of_another_project_or_an_earlier_time_are_left_out(desk, ada, terminal):
    work, other = await published_spec(desk, ada), await published_spec(desk, ada)
    await submit(desk, terminal(), work.actions[0])
    assert (await desk.call(ada, "get_insights", project_id=other.project_id))["agents"] == []
    desk.clock.forward(3 * DAY_US)
    assert (await desk.call(ada, "get_insights", days=2))["agents"] == []


async def test_of_much_that_was_finished_the_newest_are_looked_at(desk, ada, monkeypatch):
    monkeypatch.setattr(get_insights, "INSIGHT_ACTIONS", 2)
    project = (await desk.call(ada, "create_project", name="Pendesk"))["pid"]
    for number in range(3):
        task = await desk.call(ada, "create_task", project_id=project, label=f"Task {number}")
        desk.clock.forward(MINUTE)
        await desk.call(ada, "update_task", task_id=task["pid"], status="done")
    for scope in ({}, {"project_id": project}):
        told = await desk.call(ada, "get_insights", days=1, **scope)
        assert (told["newestOnly"], told["models"][0]["done"], told["days"][0]["done"]) == (2, 2, 3)
