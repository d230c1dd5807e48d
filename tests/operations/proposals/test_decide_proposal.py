"""decide_proposal: a person accepts all, some or none of it. What they accept is their own edit."""

import asyncio

import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import BadField, MissingScope, NotFound, RevisionConflict, RuleBroken
from tests.operations.proposals.test_draft_plan import action


@pytest.fixture
async def spec_draft(desk, agent, spec):
    return await desk.call(
        agent,
        "draft_spec",
        spec_id=spec["pid"],
        title="Sign in and out",
        results=["A session lasts a week", "Signing out ends it", "A device can be forgotten"],
        boundaries=[],
    )


@pytest.fixture
async def plan_draft(desk, agent, spec):
    return await desk.call(
        agent,
        "draft_plan",
        spec_id=spec["pid"],
        approach="Cookies.",
        actions=[
            action("db", area="backend", description="One table."),
            action("api", "db", criteria=["It answers", "It is fast"], paths=["src/*.py", "api/*.py"]),
            action("page", "api", "db"),
        ],
    )


async def read_spec(desk, ada, spec):
    return await desk.call(ada, "get_spec_draft", spec_id=spec["pid"])


async def decide(desk, person, draft, verdict="accept", accepted=(), **fields):
    items = [{"id": item, "accept": True} if isinstance(item, str) else item for item in accepted]
    return await desk.call(person, "decide_proposal", draft_id=draft["pid"], verdict=verdict, items=items, **fields)


async def events_of(desk, person):
    return (await desk.call(person, "list_events", limit=100))["events"]


async def test_all_of_a_change_is_accepted(desk, ada, spec, spec_draft):
    decided = await decide(desk, ada, spec_draft, "accept_all")
    assert (decided["state"], decided["accepted"], decided["rejected"]) == ("accepted", 4, 0)
    read = await read_spec(desk, ada, spec)
    assert read["title"] == "Sign in and out"
    assert read["results"] == ["A session lasts a week", "Signing out ends it", "A device can be forgotten"]
    assert (read["boundaries"], read["revision"], read["buildId"]) == ([], 2, None)


async def test_some_of_it_is_accepted_and_edited_before(desk, ada, agent, spec, spec_draft):
    edited = {"id": "results.3", "accept": True, "text": "A device can be removed"}
    left = {"id": "results.1", "text": "This was typed, and not chosen"}
    decided = await decide(desk, ada, spec_draft, accepted=[edited, left], remark="A day is enough.")
    assert (decided["state"], decided["accepted"], decided["rejected"]) == ("partly_accepted", 1, 3)
    read = await read_spec(desk, ada, spec)
    assert read["results"] == ["A session lasts a day", "Signing out ends it", "A device can be removed"]
    assert (read["title"], read["boundaries"]) == ("Sign in", ["No single sign-on"])
    draft = await desk.call(agent, "get_draft", draft_id=spec_draft["pid"])
    assert (draft["state"], draft["remark"], draft["decidedBy"]) == ("partly_accepted", "A day is enough.", "Ada")
    assert [(item["id"], item["decision"], item.get("acceptedText")) for item in draft["items"]] == [
        ("title", "rejected", None),
        ("results.1", "rejected", None),
        ("results.3", "edited", "A device can be removed"),
        ("boundaries.1", "rejected", None),
    ]


async def test_nothing_of_a_rejected_one_is_saved(desk, ada, agent, spec, spec_draft):
    before = await read_spec(desk, ada, spec)
    decided = await decide(desk, ada, spec_draft, "reject", ["title"], remark="Not now.")
    assert (decided["state"], decided["accepted"]) == ("rejected", 0)
    assert await read_spec(desk, ada, spec) == before
    improved = await desk.call(agent, "draft_spec", draft_id=spec_draft["pid"], title="Sign in, and out")
    assert improved["version"] == 2
    assert (await desk.call(agent, "get_draft", draft_id=spec_draft["pid"]))["state"] == "rejected"


async def test_a_new_spec_is_created_with_what_was_accepted(desk, ada, agent, project):
    draft = await desk.call(
        agent, "draft_spec", project_id="PEN", title="Search", summary="Find words.", results=["One", "Two"]
    )
    decided = await decide(desk, ada, draft, accepted=["results.2"])
    spec = await desk.call(ada, "get_spec_draft", spec_id=decided["specId"])
    assert (spec["title"], spec["summary"], spec["results"]) == ("Search", "", ["Two"])
    assert [person["userId"] for person in spec["participants"]] == [ada.user_id]


async def test_a_plan_is_created_with_its_order(desk, ada, spec, plan_draft):
    decided = await decide(desk, ada, plan_draft, "accept_all")
    assert decided["refCodes"] == ["PEN-1", "PEN-2", "PEN-3"]
    read = await read_spec(desk, ada, spec)
    assert [(plan["title"], plan["approach"], plan["active"]) for plan in read["plans"]] == [("Plan", "Cookies.", True)]
    assert [
        (row["label"], [first["refCode"] for first in row["prerequisites"]], len(row["criteria"]))
        for row in read["actions"]
    ] == [("Do db", [], 1), ("Do api", ["PEN-1"], 2), ("Do page", ["PEN-1", "PEN-2"], 1)]
    assert (read["actions"][0]["area"], read["actions"][0]["description"]) == ("backend", "One table.")
    assert read["actions"][1]["paths"] == ["src/*.py", "api/*.py"]
    assert read["buildId"] is None


async def test_a_prerequisite_is_left_out_with_its_action(desk, ada, agent, spec, plan_draft):
    chosen = ["a2", "a2.criteria.1", "a3", "a3.criteria.1", "a2.prerequisites.1", "a3.prerequisites.1"]
    chosen += ["a3.prerequisites.2", "a1.criteria.1"]
    decided = await decide(desk, ada, plan_draft, accepted=chosen)
    assert (decided["accepted"], decided["leftOut"]) == (5, 2)
    rows = (await read_spec(desk, ada, spec))["actions"]
    assert [(row["label"], [first["refCode"] for first in row["prerequisites"]]) for row in rows] == [
        ("Do api", []),
        ("Do page", ["PEN-1"]),
    ]
    items = (await desk.call(agent, "get_draft", draft_id=plan_draft["pid"]))["items"]
    by_id = {item["id"]: item for item in items}
    assert by_id["a2.prerequisites.1"]["decision"] == "left_out"
    assert by_id["a1.criteria.1"]["decision"] == "rejected"
    assert by_id["a3"]["refCode"] == "PEN-2"


async def test_a_change_of_the_active_plan(desk, ada, agent, spec, plan):
    change = {"key": "pen-1", "label": "Add two tables", "criteria": ["Both are there", "It is small", "Indexed"]}
    draft = await desk.call(agent, "draft_plan", spec_id=spec["pid"], actions=[change, action("api", "PEN-1")])
    with pytest.raises(BadField, match="into"):
        await decide(desk, ada, draft, "accept_all", into="new")
    await decide(desk, ada, draft, "accept_all")
    read = await read_spec(desk, ada, spec)
    assert len(read["plans"]) == 1
    first, second = read["actions"]
    assert first["label"] == "Add two tables"
    assert {criterion["text"] for criterion in first["criteria"]} == {"Both are there", "It is small", "Indexed"}
    assert [before["refCode"] for before in second["prerequisites"]] == ["PEN-1"]


async def test_another_plan_beside_the_active_one(desk, ada, agent, spec, plan):
    draft = await desk.call(agent, "draft_plan", spec_id=spec["pid"], approach="A library.", actions=[action("lib")])
    decided = await decide(desk, ada, draft, "accept_all", into="new", plan_title="Plan B")
    read = await desk.call(ada, "get_spec_draft", spec_id=spec["pid"], plan_id=decided["planId"])
    assert [(other["title"], other["approach"], other["active"]) for other in read["plans"]] == [
        ("Plan", "Cookies.", True),
        ("Plan B", "A library.", False),
    ]
    assert [row["label"] for row in read["actions"]] == ["Do lib"]


async def test_what_people_wrote_meanwhile_is_not_overwritten(desk, ada, grace, spec, spec_draft):
    view = await desk.call(ada, "get_proposal", draft_id=spec_draft["pid"])
    lines = ["Grace wrote this", "A session lasts a day", "Signing out ends it"]
    await desk.call(grace, "update_spec", spec_id=spec["pid"], results=lines, title="Signing in")
    with pytest.raises(RevisionConflict) as refusal:
        await decide(desk, ada, spec_draft, "accept_all", present_rev=view["presentRev"])
    assert refusal.value.code == "proposal_outdated"
    assert refusal.value.details["present"] == {"title": "Signing in"}
    assert "Grace" in refusal.value.message_for_person
    anew = await desk.call(ada, "get_proposal", draft_id=spec_draft["pid"])
    assert anew["changedSince"] is True
    assert next(item for item in anew["items"] if item["id"] == "title")["present"] == "Signing in"
    await decide(desk, ada, spec_draft, accepted=["results.1", "results.3"], present_rev=anew["presentRev"])
    read = await read_spec(desk, ada, spec)
    assert read["results"] == [
        "Grace wrote this",
        "A session lasts a week",
        "Signing out ends it",
        "A device can be forgotten",
    ]
    assert read["title"] == "Signing in"


async def test_an_action_that_was_deleted_meanwhile_is_left_out(desk, ada, agent, spec, plan):
    drafted = [{"key": "PEN-1", "label": "Other"}, action("api")]
    draft = await desk.call(agent, "draft_plan", spec_id=spec["pid"], actions=drafted)
    await desk.call(ada, "delete_action", action_id="PEN-1")
    decided = await decide(desk, ada, draft, "accept_all")
    assert (decided["state"], decided["accepted"], decided["leftOut"]) == ("partly_accepted", 2, 1)


async def test_it_is_decided_once(desk, ada, spec_draft):
    await decide(desk, ada, spec_draft, "reject")
    with pytest.raises(RuleBroken) as refusal:
        await decide(desk, ada, spec_draft, "accept_all")
    assert refusal.value.code == "already_decided"


async def test_of_two_who_decide_at_once_one_is_told(desk, ada, grace, spec, spec_draft):
    answers = await asyncio.gather(
        decide(desk, ada, spec_draft, "accept_all"), decide(desk, grace, spec_draft, "reject"), return_exceptions=True
    )
    (refusal,) = [answer for answer in answers if isinstance(answer, RuleBroken)]
    (decided,) = [answer for answer in answers if isinstance(answer, dict)]
    assert refusal.code == "already_decided"
    revision = (await read_spec(desk, ada, spec))["revision"]
    assert (decided["state"], revision) in (("accepted", 2), ("rejected", 1))


async def test_no_token_decides(desk, agent, spec_draft):
    with pytest.raises(MissingScope):
        await decide(desk, agent, spec_draft, "accept_all")


async def test_what_is_chosen_must_be_there(desk, ada, spec_draft):
    with pytest.raises(BadField, match="at least one"):
        await decide(desk, ada, spec_draft)
    with pytest.raises(BadField, match="nothing"):
        await decide(desk, ada, spec_draft, accepted=["nothing"])
    with pytest.raises(BadField, match="blank"):
        await decide(desk, ada, spec_draft, accepted=[{"id": "title", "accept": True, "text": " "}])
    with pytest.raises(BadField, match="title"):
        await decide(desk, ada, spec_draft, accepted=[{"id": "title", "accept": True, "text": "x" * 201}])


async def test_the_log_names_the_person_and_the_program(desk, ada, agent, spec, spec_draft):
    await decide(desk, ada, spec_draft, accepted=["title"], remark="Only this.")
    events = {event["kind"]: event for event in await events_of(desk, ada)}
    assert events["proposal.created"]["data"]["draft"] == "spec"
    assert events["spec.edited"]["data"]["draftOf"] == "Claude Code"
    assert events["spec.edited"]["actorId"] == ada.user_id
    assert events["proposal.decided"]["data"] | {"title": ""} == {
        "draft": "spec",
        "title": "",
        "verdict": "partly_accepted",
        "accepted": 1,
        "rejected": 3,
        "agent": "Claude Code",
        "message": "Only this.",
    }
    timeline = (await desk.call(ada, "get_timeline"))["events"]
    deeds = {row["kind"]: row["deed"] for row in timeline}
    assert deeds["spec.edited"] == "edited the spec Sign in and out, accepted from a draft of Claude Code"
    assert deeds["proposal.decided"] == "partly accepted a spec that Claude Code drafted: Sign in and out"
    assert deeds["proposal.created"] == "proposed a spec: Sign in and out"


async def test_the_agent_hears_of_it_with_its_next_call(desk, ada, agent, spec_draft, terminal):
    await decide(desk, ada, spec_draft, accepted=["title"], remark="Only this.")
    builder = terminal(process="1")
    answer = await desk.call(builder, "list_available_specs")
    assert [item["text"] for item in answer["news"]] == [
        "Ada partly accepted your draft of the spec Sign in and out (1 of 4 items); get_draft shows each. "
        "Remark: Only this."
    ]
    assert answer["news"][0]["objectId"] == spec_draft["pid"]
    assert "news" not in await desk.call(builder, "list_available_specs")


async def test_it_goes_with_its_spec_or_project(desk, ada, agent, spec, spec_draft, project):
    await desk.call(ada, "delete_spec", spec_id=spec["pid"])
    with pytest.raises(NotFound):
        await desk.call(ada, "get_proposal", draft_id=spec_draft["pid"])
    other = await desk.call(agent, "draft_spec", project_id="PEN", title="Search")
    await desk.call(ada, "update_project", project_id="PEN", state="archived")
    await desk.call(ada._replace(role=Role.ADMIN), "delete_project", project_id="PEN")
    with pytest.raises(NotFound):
        await desk.call(ada, "get_proposal", draft_id=other["pid"])


async def test_open_ones_are_listed(desk, ada, agent, spec, spec_draft, project):
    other = await desk.call(agent, "draft_spec", project_id="PEN", title="Search")
    rows = (await desk.call(ada, "list_proposals", project_id="PEN"))["proposals"]
    assert [(row["pid"], row["title"]) for row in rows] == [
        (spec_draft["pid"], "Sign in and out"),
        (other["pid"], "Search"),
    ]
    assert rows[0]["who"]["agent"] == "Claude Code on ada-laptop"
    assert len((await desk.call(ada, "list_proposals", spec_id=spec["pid"]))["proposals"]) == 1
    with pytest.raises(BadField):
        await desk.call(ada, "list_proposals")


async def test_it_needs_a_person_until_it_is_decided(desk, ada, agent, spec, spec_draft):
    inbox = await desk.call(ada, "get_inbox")
    assert (inbox["counts"]["proposals"], inbox["counts"]["total"]) == (1, 1)
    row = inbox["items"][0]
    assert (row["kind"], row["pid"], row["label"]) == ("proposal", spec_draft["pid"], "Sign in and out")
    assert (row["who"]["agent"], row["specTitle"]) == ("Claude Code on ada-laptop", "Sign in")
    assert (row["draft"], row["number"]) == ("spec", 1)
    await decide(desk, ada, spec_draft, "reject")
    assert (await desk.call(ada, "get_inbox"))["counts"]["total"] == 0


async def test_a_drafting_action_in_review_is_not_counted_beside_its_draft(desk, ada, agent, spec):
    await desk.call(ada, "request_draft", spec_id=spec["pid"])
    await desk.call(agent, "draft_plan", spec_id=spec["pid"], actions=[action("db")])
    inbox = await desk.call(ada, "get_inbox")
    assert [row["kind"] for row in inbox["items"]] == ["proposal"]
    assert inbox["counts"]["total"] == 1
