"""What agents would read after publishing now."""

from pendesk.domain.errors import NotFound
from tests.refusals import refused
from tests.workbench import drafted_spec, published_spec


async def test_the_preview_says_what_agents_will_read_word_for_word(desk, ada):
    work = await drafted_spec(desk, ada, chain=True)
    ref = work.actions[1]["refCode"]
    preview = await desk.call(ada, "preview_build", spec_id=work.spec_id, action_id=ref)
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    assert preview["spec"] == await desk.call(ada, "get_spec", spec_pid=work.spec_id)
    brief = await desk.call(ada, "get_action_brief", action_pid=ref)
    depends_on_reader = {"availability", "next_step", "waitsFor"}
    assert preview["brief"] == {name: value for name, value in brief.items() if name not in depends_on_reader}


async def test_looking_changes_nothing(desk, ada):
    work = await drafted_spec(desk, ada)
    answer = await desk.call(ada, "preview_build", spec_id=work.spec_id)
    two = await desk.call(ada, "preview_build", spec_id=work.spec_id)
    assert answer == two
    assert (answer["build"], answer["current"], answer["ready"]) == ("B1", None, True)
    assert (await desk.call(ada, "get_spec_draft", spec_id=work.spec_id))["build"] is None


async def test_everything_that_is_missing_is_told_at_once(desk, ada, project):
    spec = await desk.call(ada, "create_spec", project_id="PEN", title="Empty")
    preview = await desk.call(ada, "preview_build", spec_id=spec["pid"])
    assert preview["ready"] is False
    assert preview["remarks"][0]["code"] == "no_plan"
    assert "spec" not in preview
    plan = await desk.call(ada, "create_plan", spec_id=spec["pid"], title="A")
    await desk.call(ada, "create_action", plan_id=plan["pid"], label="Bare")
    await desk.call(ada, "create_action", plan_id=plan["pid"], label="An idea", state="backlog")
    preview = await desk.call(ada, "preview_build", spec_id=spec["pid"])
    answer = {(remark["level"], remark["code"], remark.get("refCode")) for remark in preview["remarks"]}
    assert {("missing", "no_criterion", "PEN-1"), ("weak", "no_approach", None), ("note", "left_out", None)} <= answer


async def test_what_changes_is_told_word_by_word_and_who_is_at_work_is_named(desk, ada):
    bob = await desk.person("Bob")
    work = await published_spec(desk, ada, participants=(bob,))
    first, second = work.actions
    await desk.call(bob, "claim_action", action_pid=first["pid"], agent_model="some-model")
    await desk.call(ada, "update_spec", spec_id=work.spec_id, summary="People sign in with a passkey.")
    await desk.call(ada, "update_criterion", criterion_id=second["criteria"][0], text="Criterion 2.1 holds twice")
    preview = await desk.call(ada, "preview_build", spec_id=work.spec_id)
    (summary,) = preview["changes"]["spec"]
    assert [part["text"] for part in summary["parts"] if part["change"] != "same"] == ["password", "passkey"]
    (action,) = preview["changes"]["actions"]
    assert (action["refCode"], action["change"]) == (second["refCode"], "changed")
    assert [item["change"] for item in action["fields"][0]["items"]] == ["changed", "same"]
    (worker,) = preview["atWork"]
    assert (worker["refCode"], worker["claim"]["holder"]) == (first["refCode"], "Bob")
    assert worker["claim"]["agentModel"] == "some-model"
    held = [entry["claimedBy"] for entry in preview["spec"]["actions"]]
    assert held == [bob.user_id, None]


async def test_an_unchanged_spec_says_so(desk, ada):
    work = await published_spec(desk, ada)
    preview = await desk.call(ada, "preview_build", spec_id=work.spec_id)
    assert [remark["message"] for remark in preview["remarks"] if remark["code"] == "unchanged"] == [
        "Nothing has changed since B1."
    ]


async def test_a_prerequisite_that_nobody_will_finish_is_told(desk, ada):
    work = await drafted_spec(desk, ada, chain=True)
    await desk.call(ada, "update_action", action_id=work.actions[0]["pid"], state="scope")
    preview = await desk.call(ada, "preview_build", spec_id=work.spec_id)
    (stuck,) = [remark for remark in preview["remarks"] if remark["code"] == "stuck"]
    assert stuck["refCode"] == work.actions[1]["refCode"]
    assert work.actions[0]["refCode"] in stuck["message"]


async def test_only_an_action_of_the_build_has_a_brief(desk, ada, project):
    work = await drafted_spec(desk, ada)
    other = await desk.call(ada, "create_action", project_id=work.project_id, label="Elsewhere")
    with refused(NotFound):
        await desk.call(ada, "preview_build", spec_id=work.spec_id, action_id=other["pid"])


async def test_hidden_characters_are_named_with_their_place_before_agents_read_them(desk, ada):
    work = await drafted_spec(desk, ada)
    first = work.actions[0]
    await desk.call(ada, "update_spec", spec_id=work.spec_id, summary="Sign\u200b in.", results=["Fine", "No\u202et"])
    await desk.call(
        ada, "update_criterion", criterion_id=first["criteria"][0], text="It holds \U000e0041\U000e0041 here"
    )
    preview = await desk.call(ada, "preview_build", spec_id=work.spec_id)
    remarks = [remark for remark in preview["remarks"] if remark["code"] == "hidden_characters"]
    assert [(remark.get("refCode"), remark["message"].partition(". ")[0]) for remark in remarks] == [
        (None, "The summary has hidden characters: U+200B zero width space (1)"),
        (None, "Result 2 has hidden characters: U+202E right-to-left override (1)"),
        (first["refCode"], "Criterion 1 has hidden characters: U+E0041 tag latin capital letter a (2)"),
    ]
    assert preview["ready"] is True
