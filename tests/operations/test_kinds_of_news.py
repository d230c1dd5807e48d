"""Every kind of news there is, each brought about once: it reaches the session with its next call, and only once."""

import pytest

from pendesk.domain.access import PLANNING_SCOPES, Role, github_actor
from tests import github_payloads
from tests.desk import MINUTE
from tests.workbench import published_spec

SHA = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c"


class Stage:
    """An agent that holds PEN-1, which is published, and the task PEN-2, which is in no spec."""

    def __init__(self, desk, ada, terminal, work):
        self.desk, self.ada, self.terminal, self.work = desk, ada, terminal, work
        self.agent = terminal(process="1")
        self.planner = self.agent._replace(scopes=PLANNING_SCOPES)
        self.other = terminal(process="2")

    async def by_person(self, operation, **arguments):
        return await self.desk.call(self.ada, operation, **arguments)

    async def by_agent(self, operation, **arguments):
        return await self.desk.call(self.agent, operation, **arguments)

    async def submit(self):
        code = {"branch": "main", "head_sha": SHA, "summary": "Built it."}
        await self.by_agent("submit_for_review", action_pid="PEN-1", **code)


@pytest.fixture
async def stage(desk, ada, terminal):
    stage = Stage(desk, ada, terminal, await published_spec(desk, ada, actions=1, criteria=1))
    await stage.by_agent("claim_action", action_pid="PEN-1")
    await stage.by_agent("get_action_brief", action_pid="PEN-1")
    task = {"project_id": stage.work.project_id, "label": "Ask the office", "status": "in_progress"}
    await desk.call(stage.planner, "create_task", **task)
    return stage


async def review(stage):
    await stage.submit()
    await stage.by_person("review_action", action_pid="PEN-1", verdict="changes_requested", summary="Not yet.")


async def part_pull_request(stage):
    """It is at another commit than the one that was submitted."""
    await stage.by_person("update_project", project_id=stage.work.project_id, repository_url=github_payloads.PAGE)
    admin = await stage.desk.person("Olga", Role.ADMIN)
    await stage.desk.call(admin, "set_github_webhook", project_id=stage.work.project_id)
    code = {"pr_url": f"{github_payloads.PAGE}/pull/7", "head_sha": SHA, "summary": "Built it."}
    await stage.by_agent("submit_for_review", action_pid="PEN-1", **code)
    delivery = {"delivery_id": "1", "digest": "0" * 64, "event": "pull_request", "repository": "acme/harbor"}
    pull = {"number": 7, "url": code["pr_url"], "title": "", "state": "open", "branch": "x", "head_sha": "c" * 40}
    github = github_actor(stage.ada.workspace_id)
    await stage.desk.call(github, "record_pull_request", project_id=stage.work.project_id, **delivery, **pull)


async def answer(stage):
    question = await stage.by_agent("request_clarification", action_pid="PEN-1", question="Which?")
    await stage.by_person("answer_question", clarification_pid=question["pid"], answer="The first.")


async def close_task(stage):
    await stage.desk.call(stage.planner, "update_task", task_id="PEN-2", status="in_review")
    await stage.by_person("update_action", action_id="PEN-2", state="done")


async def decide_draft(stage):
    draft = {"project_id": stage.work.project_id, "title": "Tides", "summary": "Shown."}
    proposal = await stage.desk.call(stage.planner, "draft_spec", **draft)
    await stage.by_person("decide_proposal", draft_id=proposal["pid"], verdict="reject")


async def publish_changed_brief(stage):
    await stage.by_person("update_spec", spec_id=stage.work.spec_id, summary="Something else.")
    await stage.by_person("publish_build", spec_id=stage.work.spec_id)


async def take_over(stage):
    stage.desk.clock.forward(10 * MINUTE)
    await stage.desk.call(stage.other, "claim_action", action_pid="PEN-1", take_over=True)


async def take_expired(stage):
    stage.desk.clock.forward(31 * MINUTE)
    await stage.desk.call(stage.other, "claim_action", action_pid="PEN-1")


async def pause(stage):
    agents = (await stage.by_person("list_agents"))["agents"]
    (session,) = [session for agent in agents for session in agent["sessions"]]
    await stage.by_person("pause_session", agent_session_id=session["pid"])


async def stop(stage):
    agents = (await stage.by_person("list_agents"))["agents"]
    (session,) = [session for agent in agents for session in agent["sessions"]]
    await stage.by_person("stop_session", agent_session_id=session["pid"])


async def add_criterion(stage):
    """To what is in no spec, so that the agent reads it at once."""
    action = await stage.by_person(
        "create_action", project_id=stage.work.project_id, label="By hand", criteria=["It holds."]
    )
    await stage.by_person("update_action", action_id=action["pid"], state="todo")
    await stage.by_agent("claim_action", action_pid=action["pid"])
    return action["pid"], action["criteria"][0]["id"]


async def create_criterion(stage):
    action_id, _criterion_id = await add_criterion(stage)
    await stage.by_person("create_criterion", action_id=action_id, text="And this.")


async def edit_criterion(stage):
    _action_id, criterion_id = await add_criterion(stage)
    await stage.by_person("update_criterion", criterion_id=criterion_id, text="Or that.")


async def restore_criterion(stage):
    criterion_id = stage.work.actions[0]["criteria"][0]
    await stage.by_person("remove_criterion", criterion_id=criterion_id)
    await stage.by_agent("list_available_specs")
    await stage.by_person("restore_criterion", criterion_id=criterion_id)


NEWS = {
    "message": (
        lambda stage: stage.by_person("send_message", action_pid="PEN-1", text="Hello."),
        "message.sent",
        "Message from Ada (person), 08:00 UTC: Hello. (Acknowledge with your next update_progress.)",
    ),
    "verdict": (review, "action.reviewed", "Ada requested changes on PEN-1; get_action_brief lists them. Not yet."),
    "parted pull request": (
        part_pull_request,
        "pull_request.changed",
        "Pull request #7 of PEN-1 is now at cccccccc, but you submitted 0f1e2d3c, and that is reviewed. If the newer "
        "commits belong to it, use resubmit_for_review.",
    ),
    "answer": (answer, "clarification.answered", "Ada answered your question on PEN-1: The first."),
    "released claim": (
        lambda stage: stage.by_person("release_claim", action_pid="PEN-1"),
        "action.released",
        "Ada released your claim on PEN-1: stop working on it.",
    ),
    "closed task": (
        close_task,
        "action.moved",
        "Ada set PEN-2 to done: nothing of it is left to you.",
    ),
    "decided draft": (
        decide_draft,
        "proposal.decided",
        "Ada rejected your draft of the spec Tides (0 of 2 items); get_draft shows each.",
    ),
    "new build": (
        publish_changed_brief,
        "build.published",
        "B2 of Sign in was published: your brief changed; get_action_brief shows what.",
    ),
    "take-over": (take_over, "action.claimed", "Another session took over PEN-1: stop working on it."),
    "expired claim": (
        take_expired,
        "action.claimed",
        "Your claim on PEN-1 had expired and another has it now: stop working on it.",
    ),
    "edited task": (
        lambda stage: stage.by_person("update_action", action_id="PEN-2", description="By phone."),
        "action.edited",
        "Ada edited PEN-2: read it again before you go on.",
    ),
    "new criterion": (create_criterion, "criterion.created", "Ada edited PEN-3: read it again before you go on."),
    "edited criterion": (edit_criterion, "criterion.edited", "Ada edited PEN-3: read it again before you go on."),
    "removed criterion": (
        lambda stage: stage.by_person("remove_criterion", criterion_id=stage.work.actions[0]["criteria"][0]),
        "criterion.removed",
        "Ada edited PEN-1: read it again before you go on.",
    ),
    "restored criterion": (
        restore_criterion,
        "criterion.restored",
        "Ada edited PEN-1: read it again before you go on.",
    ),
    "pause": (
        pause,
        "agent_session.paused",
        "Ada (person) paused this session in Pendesk, 08:00 UTC. End your turn now and wait for your user. What you "
        "hold stays yours.",
    ),
    "stop": (
        stop,
        "agent_session.stopped",
        "Ada (person) stopped this session in Pendesk, 08:00 UTC. End your turn now. What you held was released for "
        "another agent.",
    ),
}


@pytest.mark.parametrize("name", NEWS)
async def test_it_comes_with_the_next_call_once(stage, name):
    bring_about, kind, text = NEWS[name]
    await bring_about(stage)
    news = (await stage.by_agent("list_available_specs")).get("news", [])
    assert [(item["kind"], item["text"]) for item in news] == [(kind, text)]
    assert "news" not in await stage.by_agent("list_available_specs")


QUIET = {
    "a build that changes nothing of the brief": lambda stage: stage.by_person(
        "publish_build", spec_id=stage.work.spec_id
    ),
    "an edit that is not published yet": lambda stage: stage.by_person(
        "update_action", action_id="PEN-1", description="Later."
    ),
    "where a card stands": lambda stage: stage.by_person("update_action", action_id="PEN-2", priority="high"),
    "its own edit": lambda stage: stage.desk.call(
        stage.planner, "update_task", task_id="PEN-2", description="By letter."
    ),
    "the same claim again": lambda stage: stage.by_agent("claim_action", action_pid="PEN-1"),
}


@pytest.mark.parametrize("name", QUIET)
async def test_what_tells_the_agent_nothing_is_no_news(stage, name):
    await QUIET[name](stage)
    assert "news" not in await stage.by_agent("list_available_specs")


async def test_a_build_is_news_once_to_who_holds_several_of_its_actions(desk, ada, terminal):
    work, agent = await published_spec(desk, ada, actions=2, criteria=1), terminal(process="1")
    for action in work.actions:
        await desk.call(agent, "claim_action", action_pid=action["pid"])
    await desk.call(ada, "update_spec", spec_id=work.spec_id, summary="Something else.")
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    assert len((await desk.call(agent, "list_available_specs"))["news"]) == 1
