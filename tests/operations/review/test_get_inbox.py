"""What needs a person: in one list, the oldest first, gone once it is handled."""

import pytest

from pendesk.domain.access import BUILDING_SCOPES, Role
from pendesk.domain.agent_session import CallOrigin, MarkKind, make_mark
from pendesk.domain.errors import BadField, NotFound
from pendesk.domain.limits import HOUR_US, PAGE_ROWS, TAKE_OVER_SHOWN_US, Limits
from tests.desk import MINUTE
from tests.guest_requests import guest_item
from tests.refusals import refused
from tests.workbench import next_door, published_spec

HANDED = {"pr_url": "https://example.com/pr/1", "summary": "The form works."}
KINDS = (
    "questions",
    "reviews",
    "claims",
    "reworks",
    "takeOvers",
    "guests",
    "dropped",
    "proposals",
    "mentions",
    "total",
)
NOTHING = dict.fromkeys(KINDS, 0)


async def inbox_of(desk, person, **asked):
    """Without what happened to what they watch, which is tested there, and without what members share anyway."""
    inbox = await desk.call(person, "get_inbox", **asked)
    assert inbox["counts"].pop("forYou") == inbox["counts"]["total"]
    del inbox["counts"]["watched"]
    return inbox


@pytest.fixture
async def floor(desk):
    """Three actions of one spec: an author who plans, Ada and Bob whose agents build."""
    author, ada, bob = [await desk.person(name) for name in ("Author", "Ada", "Bob")]
    work = await published_spec(desk, author, actions=3, participants=(ada, bob))
    return author, ada, bob, work


@pytest.fixture
async def full(desk, floor):
    """One of each kind, a minute apart: a guest's item, a question, a submission, and a claim that then runs out."""
    _, ada, bob, work = floor
    first, second, third = [action["pid"] for action in work.actions]
    await guest_item(desk, work.project_id, "The lamp flickers.", "Gina")
    desk.clock.forward(MINUTE)
    await desk.call(ada, "claim_action", action_pid=first, agent_model="opus-5")
    await desk.call(ada, "request_clarification", action_pid=first, question="Which port?")
    desk.clock.forward(MINUTE)
    await desk.call(ada, "claim_action", action_pid=second, agent_model="opus-5")
    await desk.call(ada, "submit_for_review", action_pid=second, **HANDED)
    await desk.call(bob, "claim_action", action_pid=third, agent_model="gpt-6")
    await desk.call(bob, "update_progress", action_pid=third, status="started", message="Reading the code.")
    desk.clock.forward(31 * MINUTE)
    return floor


async def test_where_nothing_waits_the_list_is_empty(desk, floor):
    author, *_ = floor
    assert await inbox_of(desk, author) == {"items": [], "counts": NOTHING, "atWork": []}


async def test_the_oldest_comes_first_and_each_kind_tells_what_is_needed_to_answer(desk, full):
    author, ada, *_ = full
    told = await inbox_of(desk, author)
    guest, question, review, claim = told["items"]
    assert told["counts"] == NOTHING | {"questions": 1, "reviews": 1, "claims": 1, "guests": 1, "total": 4}
    assert (guest["kind"], guest["text"], guest["suggestedLabel"]) == (
        "guest",
        "The lamp flickers.",
        "From a guest: The lamp flickers.",
    )
    assert guest["who"] == {"name": "Gina", "kind": "guest"}
    assert (question["kind"], question["text"], question["refCode"]) == ("question", "Which port?", "PEN-1")
    assert question["who"] == {"userId": ada.user_id, "name": "Ada", "kind": "person", "agentModel": "opus-5"}
    assert (question["specTitle"], question["projectName"]) == ("Sign in", "Pendesk")
    assert (review["kind"], review["text"], review["number"], review["prUrl"]) == (
        "review",
        "The form works.",
        1,
        HANDED["pr_url"],
    )
    assert (review["criteria"], review["criteriaShown"]) == (2, 0)
    assert (claim["kind"], claim["refCode"], claim["text"]) == ("claim", "PEN-3", "Reading the code.")
    assert claim["who"]["agentModel"] == "gpt-6"
    assert claim["since"] > review["since"] > question["since"] > guest["since"]


async def test_what_is_handled_leaves_the_list(desk, full):
    author, *_, work = full
    guest, question, review, claim = (await inbox_of(desk, author))["items"]
    await desk.call(author, "answer_question", clarification_pid=question["pid"], answer="3847")
    await desk.call(author, "triage_submission", submission_id=guest["pid"], action="reject")
    await desk.call(author, "release_claim", action_pid=claim["actionPid"], reason="It has stopped.")
    verdicts = [{"criterionId": each, "verdict": "confirmed"} for each in work.actions[1]["criteria"]]
    await desk.call(
        author, "review_action", action_pid=review["actionPid"], verdict="approved", summary="Good.", verdicts=verdicts
    )
    assert (await inbox_of(desk, author))["counts"] == NOTHING
    # Ada's claim had run out as well, while she waited for the answer. She has a lease's time to take it up again.
    desk.clock.forward(31 * MINUTE)
    told = await inbox_of(desk, author)
    (left,) = told["items"]
    assert (left["kind"], left["who"]["name"]) == ("claim", "Ada")
    assert told["counts"] == NOTHING | {"claims": 1, "total": 1}


async def test_work_that_was_sent_back_waits_for_its_agent_until_it_is_handed_in_again(desk, floor):
    author, ada, _, work = floor
    pid = work.actions[0]["pid"]
    await desk.call(ada, "claim_action", action_pid=pid)
    await desk.call(ada, "submit_for_review", action_pid=pid, **HANDED)
    await desk.call(author, "review_action", action_pid=pid, verdict="changes_requested", summary="Not yet.")
    assert (await inbox_of(desk, author))["counts"] == NOTHING
    desk.clock.forward(MINUTE)
    await desk.call(ada, "resubmit_for_review", action_pid=pid, **HANDED | {"summary": "Once more."})
    (again,) = (await inbox_of(desk, author))["items"]
    assert (again["number"], again["text"]) == (2, "Once more.")


async def test_a_question_on_work_that_was_dropped_needs_nobody(desk, floor):
    author, ada, _, work = floor
    pid = work.actions[0]["pid"]
    await desk.call(ada, "claim_action", action_pid=pid)
    await desk.call(ada, "request_clarification", action_pid=pid, question="Which port?")
    await desk.call(ada, "update_progress", action_pid=pid, status="wont-do", message="Not needed.")
    assert (await inbox_of(desk, author))["counts"] == NOTHING


async def test_who_is_at_work_is_shown_while_the_claim_lives(desk, floor):
    author, ada, bob, work = floor
    await desk.call(ada, "claim_action", action_pid=work.actions[0]["pid"], agent_model="opus-5")
    desk.clock.forward(MINUTE)
    await desk.call(bob, "claim_action", action_pid=work.actions[1]["pid"])
    await desk.call(bob, "update_progress", action_pid=work.actions[1]["pid"], status="started", message="Half of it.")
    newest, oldest = (await inbox_of(desk, author))["atWork"]
    assert (newest["refCode"], newest["lastMessage"], newest["pulse"]) == ("PEN-2", "Half of it.", "live")
    assert oldest["who"] == {"userId": ada.user_id, "name": "Ada", "kind": "person", "agentModel": "opus-5"}
    desk.clock.forward(31 * MINUTE)
    assert (await inbox_of(desk, author))["atWork"] == []


async def test_it_can_be_narrowed_to_a_kind_and_a_project_and_still_counts_everything(desk, full):
    author, *_ = full
    other = await desk.call(author, "create_project", name="Other one", key="OTH")
    reviews = await inbox_of(desk, author, kind="review")
    assert [row["kind"] for row in reviews["items"]] == ["review"]
    elsewhere = await inbox_of(desk, author, project_id="OTH")
    assert elsewhere["items"] == []
    assert reviews["counts"]["total"] == elsewhere["counts"]["total"] == 4
    assert len((await inbox_of(desk, author, project_id="PEN"))["items"]) == 4
    assert other["key"] == "OTH"
    with refused(NotFound):
        await inbox_of(desk, author, project_id="NONE")


async def test_what_an_archived_project_waits_for_is_put_away_with_it(desk, full):
    author, _, _, work = full
    await desk.call(author, "update_project", project_id=work.project_id, state="archived")
    told = await inbox_of(desk, author)
    assert (told["items"], told["counts"]) == ([], NOTHING)


async def test_pages_follow_each_other_without_a_gap_also_where_many_came_at_once(desk, floor):
    author, _, _, work = floor
    made = [await guest_item(desk, work.project_id, f"Item {number}") for number in range(PAGE_ROWS + 3)]
    first = await inbox_of(desk, author)
    second = await inbox_of(desk, author, cursor=first["nextCursor"])
    assert len(first["items"]) == PAGE_ROWS
    assert [row["pid"] for row in first["items"] + second["items"]] == sorted(made)
    assert "nextCursor" not in second


@pytest.mark.parametrize("cursor", ["x", "1.x", ".", "-1.00000000-0000-0000-0000-000000000001", "9" * 40, "\u0661.a"])
async def test_a_cursor_of_another_list_is_refused_by_name(desk, floor, cursor):
    with refused(BadField) as caught:
        await inbox_of(desk, floor[0], cursor=cursor)
    assert caught.refusal.details["field"] == "cursor"


async def test_nothing_of_another_workspace_is_in_it(desk, full):
    other = await next_door(desk)
    stranger = await other.person("Stranger", Role.OWNER)
    told = await inbox_of(other, stranger)
    assert (told["items"], told["counts"], told["atWork"]) == ([], NOTHING, [])


# Requested changes that nobody works on


async def request_changes(desk, author, actor, pid):
    await desk.call(actor, "claim_action", action_pid=pid, agent_model="opus-5")
    await desk.call(actor, "submit_for_review", action_pid=pid, **HANDED)
    await desk.call(author, "review_action", action_pid=pid, verdict="changes_requested", summary="Not yet.")


async def test_requested_changes_that_nobody_claims_come_back_after_an_hour(desk, floor):
    author, ada, _, work = floor
    pid = work.actions[0]["pid"]
    await request_changes(desk, author, ada, pid)
    desk.clock.forward(59 * MINUTE)
    assert (await inbox_of(desk, author))["counts"] == NOTHING
    desk.clock.forward(MINUTE)
    inbox = await inbox_of(desk, author)
    (item,) = inbox["items"]
    assert inbox["counts"] == NOTHING | {"reworks": 1, "total": 1}
    assert (item["kind"], item["refCode"], item["text"], item["number"]) == ("rework", "PEN-1", "Not yet.", 1)
    assert (item["who"]["name"], item["who"]["agentModel"]) == ("Ada", "opus-5")
    assert (await desk.call(author, "get_overview"))["needs"]["reworks"] == 1
    assert (await inbox_of(desk, author, kind="rework"))["items"] == [item]
    assert (await inbox_of(desk, author, kind="review"))["items"] == []


async def test_rework_leaves_the_inbox_when_it_is_claimed_and_stands_there_as_expired_later(desk, floor):
    author, ada, _, work = floor
    pid = work.actions[0]["pid"]
    await request_changes(desk, author, ada, pid)
    desk.clock.forward(61 * MINUTE)
    await desk.call(ada, "claim_action", action_pid=pid)
    assert (await inbox_of(desk, author))["counts"] == NOTHING
    desk.clock.forward(31 * MINUTE)
    assert (await inbox_of(desk, author))["counts"] == NOTHING | {"claims": 1, "total": 1}


async def test_rework_leaves_the_inbox_when_it_is_handed_to_another_agent(desk, floor):
    author, ada, bob, work = floor
    pid = work.actions[0]["pid"]
    await request_changes(desk, author, ada, pid)
    desk.clock.forward(61 * MINUTE)
    await desk.call(author, "release_claim", action_pid=pid)
    assert (await inbox_of(desk, author))["counts"] == NOTHING
    assert (await desk.call(bob, "claim_action", action_pid=pid))["status"] == "started"


# Claims that one session took over from another


@pytest.fixture
async def terminals(desk, floor):
    """Two terminals of Ada's."""
    _, ada, *_ = floor
    token = (await desk.call(ada, "create_token", name="Laptop", scopes=["specs.read", "builds.write"]))["tokenId"]
    origins = [
        CallOrigin("codex", marks=frozenset({make_mark(MarkKind.PROCESS, number)}), machine="ada-laptop")
        for number in "12"
    ]
    return [ada._replace(via="mcp", scopes=BUILDING_SCOPES, token_id=token, origin=origin) for origin in origins]


async def test_a_take_over_is_news_for_people_while_that_session_is_at_work(desk, floor, terminals):
    author, *_, work = floor
    pid = work.actions[0]["pid"]
    first, second = terminals
    await desk.call(first, "claim_action", action_pid=pid)
    await desk.call(first, "update_progress", action_pid=pid, status="started", message="Half done.")
    desk.clock.forward(6 * MINUTE)
    await desk.call(second, "claim_action", action_pid=pid, take_over=True)
    desk.clock.forward(5 * MINUTE)
    inbox = await inbox_of(desk, author)
    (item,) = inbox["items"]
    assert inbox["counts"] == NOTHING | {"takeOvers": 1, "total": 1}
    assert (item["kind"], item["refCode"], item["text"]) == ("take_over", "PEN-1", "Half done.")
    assert (item["who"]["agent"], item["takenFrom"]) == ("Codex on ada-laptop #2", "Codex on ada-laptop")
    newest = (await desk.call(author, "get_timeline"))["events"][0]
    assert (newest["deed"], newest["agent"]) == ("took over PEN-1 from another session", item["who"]["agent"])
    await desk.call(second, "submit_for_review", action_pid=pid, **HANDED)
    assert (await inbox_of(desk, author))["counts"] == NOTHING | {"reviews": 1, "total": 1}


async def test_a_take_over_is_shown_for_a_day_at_most(desk, floor, terminals):
    author, *_, work = floor
    pid = work.actions[0]["pid"]
    first, second = terminals
    limits = Limits(lease_us=48 * HOUR_US, lease_cap_us=48 * HOUR_US)
    desk.dispatcher.installation = desk.installation._replace(limits=limits)
    await desk.call(first, "claim_action", action_pid=pid)
    await desk.call(second, "claim_action", action_pid=pid, take_over=True)
    desk.clock.forward(TAKE_OVER_SHOWN_US - MINUTE)
    assert (await inbox_of(desk, author))["counts"]["takeOvers"] == 1
    desk.clock.forward(MINUTE)
    assert (await inbox_of(desk, author))["counts"] == NOTHING


async def test_claiming_what_had_expired_is_no_take_over(desk, floor, terminals):
    author, *_, work = floor
    pid = work.actions[0]["pid"]
    first, second = terminals
    await desk.call(first, "claim_action", action_pid=pid)
    desk.clock.forward(31 * MINUTE)
    await desk.call(second, "claim_action", action_pid=pid)
    assert (await inbox_of(desk, author))["counts"] == NOTHING
