"""The log as people read it."""

import pytest

from pendesk.domain.errors import BadField, NotFound
from pendesk.store import timeline
from tests.refusals import refused
from tests.workbench import next_door, published_spec


@pytest.fixture
async def lived(desk):
    """Ada publishes, Grace's agent claims and asks."""
    ada, grace = await desk.person("Ada"), (await desk.person("Grace"))._replace(via="mcp")
    work = await published_spec(desk, ada, participants=(grace,))
    pid = work.actions[0]["pid"]
    await desk.call(grace, "claim_action", action_pid=pid, agent_model="Opus 5")
    await desk.call(grace, "request_clarification", action_pid=pid, question="Which colour?")
    return ada, grace, work


async def read_on(desk, person, **asked):
    """The rows of each page, to the beginning of the log."""
    pages = []
    page = await desk.call(person, "get_timeline", **asked)
    while True:
        pages.append(page["events"])
        if "nextCursor" not in page:
            return pages
        page = await desk.call(person, "get_timeline", **asked, cursor=page["nextCursor"])


async def test_the_newest_comes_first_in_words_with_names(desk, lived):
    ada, _, work = lived
    asked, claimed, published = (await desk.call(ada, "get_timeline", limit=3))["events"]
    ref = work.actions[0]["refCode"]
    assert (asked["actorName"], asked["agentModel"], asked["deed"], asked["detail"]) == (
        "Grace",
        "Opus 5",
        f"asked a question about {ref}",
        "Which colour?",
    )
    assert (claimed["deed"], claimed["refCode"], claimed["label"]) == (f"claimed {ref}", ref, "Action 1")
    assert (published["actorName"], published["deed"]) == ("Ada", "published build B1 of the spec Sign in")
    assert published["about"] == {"kind": "spec", "pid": work.spec_id, "title": "Sign in"}


async def test_what_a_person_does_to_an_agents_work_is_not_said_to_be_the_agents(desk, lived):
    ada, _, work = lived
    await desk.call(ada, "release_claim", action_pid=work.actions[0]["pid"], reason="It is mine now.")
    released, asked, *_ = (await desk.call(ada, "get_timeline"))["events"]
    assert (released["kind"], released["actorName"], released.get("agentModel")) == ("action.released", "Ada", None)
    assert asked["agentModel"] == "Opus 5"


async def test_page_by_page_to_the_beginning(desk, lived):
    ada, _, _ = lived
    whole = (await desk.call(ada, "get_timeline", limit=100))["events"]
    pages = await read_on(desk, ada, limit=3)
    assert [row for page in pages for row in page] == whole
    assert [row["seq"] for row in whole] == list(range(whole[0]["seq"], 0, -1))


@pytest.mark.parametrize(
    ("narrowed", "kinds"),
    [
        ({"kind": ["action.claimed"]}, {"action.claimed"}),
        ({"kind": ["clarification"]}, {"clarification.asked"}),
        ({"model": "Opus 5"}, {"action.claimed", "clarification.asked"}),
        ({"kind": ["note"]}, set()),
        ({"kind": ["note", "clarification.asked"]}, {"clarification.asked"}),
    ],
)
async def test_narrowed(desk, lived, narrowed, kinds):
    ada, _, _ = lived
    found = (await desk.call(ada, "get_timeline", **narrowed))["events"]
    assert {row["kind"] for row in found} == kinds


async def test_by_actor_project_and_action(desk, lived):
    ada, grace, work = lived
    other = await desk.call(ada, "create_project", name="Other")
    hers = (await desk.call(ada, "get_timeline", user_pid=grace.user_id))["events"]
    assert {row["actorName"] for row in hers} == {"Grace"}
    (created,) = (await desk.call(ada, "get_timeline", project_id=other["pid"]))["events"]
    assert created["deed"] == "created the project Other"
    about = (await desk.call(ada, "get_timeline", action_pid=work.actions[1]["refCode"]))["events"]
    assert {row["refCode"] for row in about} == {work.actions[1]["refCode"]}
    with refused(BadField):
        await desk.call(ada, "get_timeline", project_id=other["pid"], action_pid=work.actions[0]["pid"])


async def test_a_rare_kind_is_looked_for_window_by_window(desk, lived, monkeypatch):
    ada, _, _ = lived
    monkeypatch.setattr(timeline, "TIMELINE_WINDOW", 4)
    pages = await read_on(desk, ada, kind=["project.created"])
    assert [row["deed"] for page in pages for row in page] == ["created the project Pendesk"]
    assert len(pages) > 2


async def test_next_door_sees_nothing_of_it(desk, lived):
    _, _, work = lived
    away = await next_door(desk)
    eve = await away.person("Eve")
    assert (await away.call(eve, "get_timeline"))["events"] == []
    for named in ({"project_id": work.project_id}, {"action_pid": work.actions[0]["pid"]}):
        with refused(NotFound):
            await away.call(eve, "get_timeline", **named)


async def test_a_rare_kind_of_a_project_is_looked_for_in_windows(desk, monkeypatch):
    monkeypatch.setattr(timeline, "TIMELINE_WINDOW", 3)
    ada = await desk.person("Ada")
    project = (await desk.call(ada, "create_project", name="Harbour"))["pid"]
    for number in range(8):
        await desk.call(ada, "create_task", project_id=project, label=f"Task {number}")
    asked = {"project_id": project, "kind": ["project.created"]}
    page, pages = await desk.call(ada, "get_timeline", **asked), 1
    while not page["events"]:
        page, pages = await desk.call(ada, "get_timeline", cursor=page["nextCursor"], **asked), pages + 1
    assert [row["kind"] for row in page["events"]] == ["project.created"]
    assert pages == 3
