from pendesk.domain.access import Role
from tests.desk import MINUTE
from tests.guest_requests import guest_item
from tests.workbench import next_door, published_spec


async def test_it_tells_who_you_are_and_what_there_is(desk):
    ada = await desk.person("Ada", Role.VIEWER)
    bo = await desk.person("Bo")
    work = await published_spec(desk, bo, actions=3, participants=(bo,))
    await desk.call(bo, "claim_action", action_pid=work.actions[0]["pid"])
    told = await desk.call(ada, "get_overview")
    assert (told["workspace"], told["userName"], told["role"]) == ("Test workspace", "Ada", "viewer")
    [project] = told["projects"]
    assert (project["pid"], project["active"]) == (work.project_id, 1)
    newest = (await desk.call(ada, "list_events", after=told["seq"] - 1))["events"]
    assert [event["seq"] for event in newest] == [told["seq"]]


async def test_it_counts_what_waits_for_people(desk):
    bo = await desk.person("Bo")
    work = await published_spec(desk, bo, actions=3, criteria=1, participants=(bo,))
    first, second, third = (action["pid"] for action in work.actions)
    for pid in (first, second, third):
        await desk.call(bo, "claim_action", action_pid=pid)
    await desk.call(bo, "request_clarification", action_pid=second, question="Which?")
    evidence = [{"criterionId": one, "evidence": "seen"} for one in work.actions[0]["criteria"]]
    handed = {"pr_url": "https://github.com/o/r/pull/1", "summary": "Done.", "evidence": evidence}
    await desk.call(bo, "submit_for_review", action_pid=first, **handed)
    await guest_item(desk, work.project_id, "A guest", "Please mend it.")
    needs = (await desk.call(bo, "get_overview"))["needs"]
    del needs["watched"]
    nothing = {"claims": 0, "reworks": 0, "takeOvers": 0, "dropped": 0, "proposals": 0, "mentions": 0}
    assert needs == nothing | {"questions": 1, "reviews": 1, "guests": 1, "total": 3, "forYou": 3}
    desk.clock.forward(31 * MINUTE)
    needs = (await desk.call(bo, "get_overview"))["needs"]
    assert (needs["claims"], needs["total"]) == (1, 4)  # one of them waits for an answer
    back = [{"criterionId": one, "verdict": "rejected"} for one in work.actions[0]["criteria"]]
    told = {"verdict": "changes_requested", "summary": "Not yet.", "verdicts": back}
    await desk.call(bo, "review_action", action_pid=first, **told)
    assert (await desk.call(bo, "get_overview"))["needs"]["reviews"] == 0


async def test_a_viewer_is_told_of_what_waits_and_that_none_of_it_waits_for_them(desk):
    bo = await desk.person("Bo")
    work = await published_spec(desk, bo, actions=1, participants=(bo,))
    pid = work.actions[0]["pid"]
    await desk.call(bo, "claim_action", action_pid=pid)
    await desk.call(bo, "request_clarification", action_pid=pid, question="Which?")
    vi = await desk.person("Vi", Role.VIEWER)
    for operation, counts in (("get_overview", "needs"), ("get_inbox", "counts")):
        waiting = (await desk.call(vi, operation))[counts]
        assert (waiting["questions"], waiting["total"], waiting["forYou"]) == (1, 1, 0)
    await desk.call(bo, "add_comment", document_id=work.actions[0]["refCode"], body="@Vi, have a look.")
    assert (await desk.call(vi, "get_overview"))["needs"]["forYou"] == 1


async def test_archived_projects_and_those_next_door_are_left_out(desk):
    bo = await desk.person("Bo", Role.OWNER)
    made = await desk.call(bo, "create_project", name="Old")
    await desk.call(bo, "update_project", project_id=made["pid"], state="archived")
    other = await next_door(desk)
    await other.call(await other.person("Zoe"), "create_project", name="Elsewhere")
    assert (await desk.call(bo, "get_overview"))["projects"] == []
