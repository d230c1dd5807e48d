"""A brief that is too long for one answer: whole sections, the important ones first, the others named."""

import pytest

from tests.workbench import published_spec

PARAGRAPH = "The form shows each error beside its field, and keeps what was typed. " * 5 + "\n\n"


@pytest.fixture
async def work(desk, ada):
    work = await published_spec(desk, ada, actions=8)
    lines = [f"{number}. {PARAGRAPH[:300]}" for number in range(12)]
    texts = {"summary": PARAGRAPH * 14, "results": lines, "conditions": lines, "boundaries": lines}
    await desk.call(ada, "update_spec", spec_id=work.spec_id, **texts)
    await desk.call(ada, "update_plan", plan_id=work.plan_id, approach=PARAGRAPH * 25)
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    return work


async def brief_of(desk, actor, work, **arguments):
    return await desk.call(actor, "get_action_brief", action_pid=work.actions[0]["pid"], **arguments)


def sections(brief):
    return {
        f"{part}.{name}": value
        for part in ("action", "review", "spec", "plan")
        for name, value in brief.get(part, {}).items()
        if isinstance(value, list) or len(value) > 200
    } | {"siblingActions": brief["siblingActions"]}


async def test_no_section_is_cut_in_its_middle(desk, ada, work):
    brief = await brief_of(desk, ada, work)
    whole = await sections_by_rest(desk, ada, work, brief)
    assert brief["cut"]
    for name, value in sections(brief).items():
        assert name in brief["cut"] or value == whole[name]
    assert whole["plan.approach"] == PARAGRAPH * 25
    assert len(whole["spec.boundaries"]) == 12


async def sections_by_rest(desk, actor, work, brief):
    """Each section as it is: those that were left out are read by `rest`, in one call each."""
    whole = sections(brief)
    for name in brief["cut"]:
        rest = (await brief_of(desk, actor, work, rest=name))["rest"]
        assert (rest["of"], "next" in rest) == (name, False)
        whole[name] = rest.get("text") or rest["items"]
    return whole


async def test_criteria_review_and_claim_come_first_and_whole(desk, ada, work):
    about = {"action_pid": work.actions[0]["pid"]}
    await desk.call(ada, "claim_action", **about)
    await desk.call(ada, "submit_for_review", summary="Done", pr_url="https://git.example.com/1", **about)
    items = [{"text": f"{number}. {PARAGRAPH[:200]}"} for number in range(10)]
    verdict = {"verdict": "changes_requested", "summary": PARAGRAPH * 3, "items": items}
    await desk.call(ada, "review_action", **verdict, **about)
    await desk.call(ada, "claim_action", **about)
    brief = await brief_of(desk, ada, work)
    assert len(brief["cut"]) >= 2
    assert all(place.startswith(("spec.", "plan.", "siblingActions")) for place in brief["cut"])
    assert brief["review"]["summary"] == PARAGRAPH * 3
    assert [item["text"] for item in brief["review"]["items"]] == [item["text"] for item in items]
    assert len(brief["action"]["acceptanceCriteria"]) == 2
    names = list(brief)
    assert names.index("claim") < names.index("review") < names.index("action") < names.index("spec")


async def test_a_section_that_no_answer_has_room_for_comes_in_pages_and_is_said_to(desk, ada, work):
    await desk.call(ada, "update_plan", plan_id=work.plan_id, approach=PARAGRAPH * 100)
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    brief = await brief_of(desk, ada, work)
    (place,) = (place for place in brief["cut"] if place.startswith("plan.approach"))
    pages = [brief["plan"]["approach"].removesuffix("…")]
    while place is not None:
        rest = (await brief_of(desk, ada, work, rest=place))["rest"]
        pages.append(rest["text"])
        place = rest.get("next")
    assert "".join(pages) == PARAGRAPH * 100
    assert all(page.endswith("\n\n") for page in pages if page)
