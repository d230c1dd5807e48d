"""draft_spec: a spec, or a change to one, as a proposal."""

import pytest

from pendesk.domain.errors import BadField, MissingScope, RuleBroken
from pendesk.domain.limits import OPEN_PROPOSALS


async def texts(desk, ada, spec):
    read = await desk.call(ada, "get_spec_draft", spec_id=spec["pid"])
    return {name: read[name] for name in ("title", "summary", "results", "conditions", "boundaries", "revision")}


async def test_a_draft_of_a_new_spec_creates_none(desk, ada, agent, project):
    draft = await desk.call(agent, "draft_spec", project_id="PEN", title="Search", results=["Words are found"])
    assert (draft["state"], draft["version"], draft["items"]) == ("open", 1, 2)
    assert draft["url"] == f"http://127.0.0.1:3847/proposals/{draft['pid']}"
    assert (await desk.call(ada, "list_specs", project_id="PEN"))["specs"] == []


async def test_a_draft_of_a_change_leaves_the_spec_as_it_is(desk, ada, agent, spec):
    before = await texts(desk, ada, spec)
    draft = await desk.call(
        agent,
        "draft_spec",
        spec_id=spec["pid"],
        summary="People sign in and out.",
        results=["A session lasts a week", "Signing out ends it", "A device can be forgotten"],
        boundaries=[],
    )
    assert await texts(desk, ada, spec) == before
    items = (await desk.call(agent, "get_draft", draft_id=draft["pid"]))["items"]
    assert [(item["id"], item["change"], item["text"], item.get("before", "")) for item in items] == [
        ("summary", "changed", "People sign in and out.", "People sign in."),
        ("results.1", "changed", "A session lasts a week", "A session lasts a day"),
        ("results.3", "added", "A device can be forgotten", ""),
        ("boundaries.1", "removed", "", "No single sign-on"),
    ]


async def test_a_new_version_supersedes_the_open_one(desk, agent, project):
    first = await desk.call(agent, "draft_spec", project_id="PEN", title="Search")
    second = await desk.call(agent, "draft_spec", draft_id=first["pid"], title="Search", summary="Find words.")
    assert second["version"] == 2
    read = await desk.call(agent, "get_draft", draft_id=first["pid"])
    assert (read["state"], read["newerVersion"]) == ("superseded", second["pid"])
    with pytest.raises(BadField, match="newer version"):
        await desk.call(agent, "draft_spec", draft_id=first["pid"], title="Search")


async def test_what_changes_nothing_is_refused(desk, agent, spec):
    with pytest.raises(RuleBroken) as refusal:
        await desk.call(agent, "draft_spec", spec_id=spec["pid"], title="Sign in")
    assert refusal.value.code == "nothing_changes"


async def test_where_it_belongs_must_be_said(desk, agent, project):
    with pytest.raises(BadField, match="project_id"):
        await desk.call(agent, "draft_spec", title="Search")
    with pytest.raises(BadField, match="title"):
        await desk.call(agent, "draft_spec", project_id="PEN", summary="Find words.")


async def test_it_needs_the_scope_of_drafting(desk, terminal, project):
    with pytest.raises(MissingScope):
        await desk.call(terminal(process="1"), "draft_spec", project_id="PEN", title="Search")


async def test_as_many_wait_as_a_person_can_look_at(desk, agent, project):
    for number in range(OPEN_PROPOSALS):
        await desk.call(agent, "draft_spec", project_id="PEN", title=f"Draft {number}")
    with pytest.raises(RuleBroken) as refusal:
        await desk.call(agent, "draft_spec", project_id="PEN", title="One too many")
    assert refusal.value.code == "too_many"


async def test_a_draft_too_large_for_a_page_is_refused(desk, agent, project):
    long = ["x" * 2_000 + str(number) for number in range(50)]
    with pytest.raises(RuleBroken) as refusal:
        await desk.call(
            agent,
            "draft_spec",
            project_id="PEN",
            title="Long",
            summary="y" * 100_000,
            results=[line[:1_990] for line in long],
            conditions=[line[:1_990] for line in long],
        )
    assert refusal.value.code == "draft_too_large"
