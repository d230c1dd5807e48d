"""Reviews that come in an odd form or at an odd moment."""

import time

import pytest

from pendesk import ids
from pendesk.domain.errors import BadField
from tests.workbench import published_spec

HANDED = {"pr_url": "https://example.com/pr/1", "summary": "Done."}


@pytest.fixture
async def submitted(desk):
    author, ada = await desk.person("Author"), await desk.person("Ada")
    work = await published_spec(desk, author, actions=1, participants=(ada,))
    (action,) = work.actions
    await desk.call(ada, "claim_action", action_pid=action["pid"])
    await desk.call(ada, "submit_for_review", action_pid=action["pid"], **HANDED)
    return author, ada, action


@pytest.mark.parametrize("second", ["confirmed", "rejected"])
async def test_two_verdicts_on_one_criterion_are_refused_by_name(desk, submitted, second):
    author, _, action = submitted
    verdicts = [{"criterionId": action["criteria"][0], "verdict": word} for word in ("confirmed", second)]
    with pytest.raises(BadField) as refused:
        await desk.call(
            author,
            "review_action",
            action_pid=action["pid"],
            verdict="changes_requested",
            summary="Both",
            verdicts=verdicts,
        )
    assert refused.value.details["field"] == "verdicts[1].criterionId"


async def test_the_newest_review_counts_although_it_came_through_a_server_whose_clock_is_behind(
    desk, submitted, monkeypatch
):
    author, ada, action = submitted
    pid = action["pid"]

    async def send_back(text):
        items = [{"text": text}]
        await desk.call(
            author, "review_action", action_pid=pid, verdict="changes_requested", summary="Not yet.", items=items
        )
        brief = await desk.call(ada, "get_action_brief", action_pid=pid)
        return brief["review"]["items"]

    (first,) = await send_back("First change")
    disposed = {"itemId": first["id"], "disposition": "fixed", "note": "In the last commit."}
    await desk.call(ada, "resubmit_for_review", action_pid=pid, dispositions=[disposed], **HANDED)
    an_hour_ago = time.time_ns() - 3_600 * 10**9
    monkeypatch.setattr(time, "time_ns", lambda: an_hour_ago)
    monkeypatch.setattr(ids, "_last", 0)
    (second,) = await send_back("Second change")
    assert second["text"] == "Second change"
    disposed = {"itemId": second["id"], "disposition": "fixed", "note": "In the last commit."}
    await desk.call(ada, "resubmit_for_review", action_pid=pid, dispositions=[disposed], **HANDED)
