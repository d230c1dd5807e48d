"""draft_plan: a plan, or a change to the active one, as a proposal; every fault of it at once."""

import pytest

from pendesk.domain.errors import BadField, RuleBroken


def action(key, *prerequisites, **fields):
    return {"key": key, "label": f"Do {key}", "criteria": [f"{key} works"], "prerequisites": prerequisites, **fields}


async def test_a_draft_of_a_plan_creates_none(desk, ada, agent, spec):
    draft = await desk.call(
        agent, "draft_plan", spec_id=spec["pid"], approach="Cookies.", actions=[action("db"), action("api", "db")]
    )
    read = await desk.call(ada, "get_spec_draft", spec_id=spec["pid"])
    assert (read["plans"], read["actions"]) == ([], [])
    items = (await desk.call(agent, "get_draft", draft_id=draft["pid"]))["items"]
    assert [(item["id"], item["text"]) for item in items] == [
        ("approach", "Cookies."),
        ("a1", "Do db"),
        ("a1.criteria.1", "db works"),
        ("a2", "Do api"),
        ("a2.criteria.1", "api works"),
        ("a2.prerequisites.1", "Do db"),
    ]


async def test_a_change_names_an_action_by_its_ref(desk, ada, agent, spec, plan):
    draft = await desk.call(
        agent,
        "draft_plan",
        spec_id=spec["pid"],
        actions=[
            {"key": "PEN-1", "criteria": ["It is there", "It has an index"]},
            action("api", "PEN-1", paths=["src/api/*.py"]),
        ],
    )
    items = (await desk.call(agent, "get_draft", draft_id=draft["pid"]))["items"]
    assert [(item["id"], item["change"], item.get("refCode")) for item in items] == [
        ("a1.criteria.2", "removed", "PEN-1"),
        ("a1.criteria.3", "added", "PEN-1"),
        ("a2", "added", None),
        ("a2.paths", "added", None),
        ("a2.criteria.1", "added", None),
        ("a2.prerequisites.1", "added", None),
    ]


async def test_every_fault_is_told_at_once(desk, agent, spec, plan):
    with pytest.raises(RuleBroken) as refusal:
        await desk.call(
            agent,
            "draft_plan",
            spec_id=spec["pid"],
            actions=[
                action("db", "api"),
                action("api", "db", "nowhere", "PEN-99"),
                action("db"),
                {"key": "bare"},
                {"key": "PEN-7", "label": "Gone"},
                action("self", "self"),
            ],
        )
    assert refusal.value.code == "bad_plan"
    assert [(fault["field"], fault["problem"].split(";")[0]) for fault in refusal.value.details["faults"]] == [
        ("actions[2].key", "'db' is used twice"),
        ("actions[4].key", "PEN-7 is no action of this spec's active plan"),
        ("actions[3].label", "is required for a new action."),
        ("actions[3].criteria", "is empty"),
        ("actions[1].prerequisites[0]", "closes a cycle: db -> api -> db"),
        (
            "actions[1].prerequisites[1]",
            "'nowhere' is neither a key of this draft nor the ref code of an action of the project.",
        ),
        (
            "actions[1].prerequisites[2]",
            "'PEN-99' is neither a key of this draft nor the ref code of an action of the project.",
        ),
        ("actions[5].prerequisites[0]", "an action cannot be its own prerequisite."),
    ]


async def test_a_key_may_look_like_the_ref_of_another_project(desk, agent, spec):
    drafted = [action("step-1"), action("step-2", "step-1")]
    draft = await desk.call(agent, "draft_plan", spec_id=spec["pid"], actions=drafted)
    assert draft["items"] == 5


async def test_faults_of_form_come_with_the_others(desk, agent, spec):
    with pytest.raises(BadField) as refusal:
        await desk.call(
            agent,
            "draft_plan",
            spec_id=spec["pid"],
            actions=[action("db", "nowhere"), {"key": "api", "label": "two\nlines", "criteria": []}, "no action"],
        )
    fields = [fault["field"] for fault in refusal.value.details["faults"]]
    assert sorted(fields) == ["actions[0].prerequisites[0]", "actions[1].criteria", "actions[1].label", "actions[2]"]


async def test_a_cycle_through_the_present_plan_is_a_fault(desk, ada, agent, spec, plan):
    await desk.call(
        ada, "create_action", plan_id=plan["pid"], label="Serve it", criteria=["ok"], prerequisites=["PEN-1"]
    )
    with pytest.raises(RuleBroken) as refusal:
        await desk.call(
            agent, "draft_plan", spec_id=spec["pid"], actions=[{"key": "PEN-1", "prerequisites": ["PEN-2"]}]
        )
    assert "closes a cycle: PEN-2 -> PEN-1 -> PEN-2" in refusal.value.message


async def test_the_present_texts_are_read_before_a_change(desk, agent, spec, plan):
    read = await desk.call(agent, "get_draft", spec_id=spec["pid"])
    assert (read["spec"]["title"], read["approach"]) == ("Sign in", "Cookies.")
    assert [(row["refCode"], row["criteria"]) for row in read["actions"]] == [("PEN-1", ["It is there", "It is small"])]
    with pytest.raises(BadField):
        await desk.call(agent, "get_draft")
