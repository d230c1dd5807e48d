"""Commits and test results, and what they do to the criteria."""

import pytest

from pendesk.domain.errors import BadField, RuleBroken
from tests.refusals import refused
from tests.workbench import published_spec

SHA = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
async def held(desk):
    ada = await desk.person("Ada")
    work = await published_spec(desk, ada)
    action = work.actions[0]
    await desk.call(ada, "claim_action", action_pid=action["pid"], agent_model="model-a")
    await desk.call(ada, "get_action_brief", action_pid=action["pid"])
    return ada, action


async def statuses(desk, actor, action):
    brief = await desk.call(actor, "get_action_brief", action_pid=action["pid"])
    return [one["status"] for one in brief["action"]["acceptanceCriteria"]]


async def commit(desk, actor, action, sha=SHA, **more):
    return await desk.call(actor, "report_commit", action_pid=action["pid"], sha=sha, message="Add the form", **more)


async def run_test(desk, actor, action, criterion, outcome, evidence=""):
    return await desk.call(
        actor,
        "report_test_result",
        action_pid=action["pid"],
        criterion_id=criterion,
        outcome=outcome,
        evidence=evidence,
    )


async def test_a_commit_implements_the_criteria_it_names(desk, held):
    ada, action = held
    answer = await commit(desk, ada, action, criterion_ids=action["criteria"][:1], files_changed=3)
    assert answer == {"recorded": True, "actionPid": action["pid"], "sha": SHA}
    assert await statuses(desk, ada, action) == ["implemented", "seen"]


async def test_the_same_sha_twice_is_one_commit(desk, held):
    ada, action = held
    await commit(desk, ada, action)
    await commit(desk, ada, action, sha=SHA.upper(), criterion_ids=action["criteria"])
    whole = await desk.call(ada, "get_action", action_id=action["pid"])
    assert [one["sha"] for one in whole["commits"]] == [SHA]
    assert await statuses(desk, ada, action) == ["implemented", "implemented"]


@pytest.mark.parametrize("sha", ["abc1234", "z" * 40, SHA + "0", "HEAD"])
async def test_a_short_or_wrong_sha_is_refused_by_name(desk, held, sha):
    ada, action = held
    with refused(BadField) as caught:
        await commit(desk, ada, action, sha=sha)
    assert caught.refusal.details["field"] == "sha"


async def test_a_passed_test_validates_and_a_failed_one_changes_nothing(desk, held):
    ada, action = held
    first, _ = action["criteria"]
    await run_test(desk, ada, action, first, "failed", "0/3 in tests/test_form.py")
    assert await statuses(desk, ada, action) == ["seen", "seen"]
    answer = await run_test(desk, ada, action, first, "passed", "3/3 in tests/test_form.py")
    assert answer == {"recorded": True, "actionPid": action["pid"], "criterionId": first, "outcome": "passed"}
    assert await statuses(desk, ada, action) == ["validated", "seen"]


async def test_a_criterion_never_moves_back(desk, held):
    ada, action = held
    await run_test(desk, ada, action, action["criteria"][0], "passed")
    await commit(desk, ada, action, criterion_ids=action["criteria"])
    await run_test(desk, ada, action, action["criteria"][0], "failed")
    assert await statuses(desk, ada, action) == ["validated", "implemented"]


async def test_evidence_is_bound_to_the_newest_commit_and_goes_stale_when_the_criterion_is_edited(desk, held):
    ada, action = held
    await commit(desk, ada, action)
    await run_test(desk, ada, action, action["criteria"][0], "passed", "3/3")
    evidence = await evidence_of(desk, ada, action)
    assert (evidence["level"], evidence["sha"]) == ("claimed", SHA)
    assert "stale" not in evidence
    await desk.call(ada, "update_criterion", criterion_id=action["criteria"][0], text="Something else holds")
    stale = await evidence_of(desk, ada, action)
    assert "reworded by Ada" in stale["stale"]
    whole = await desk.call(ada, "get_action", action_id=action["pid"])
    assert whole["criteria"][0]["status"] == "validated"


async def evidence_of(desk, actor, action):
    whole = await desk.call(actor, "get_action", action_id=action["pid"])
    return whole["criteria"][0]["evidence"]


async def test_a_criterion_of_another_action_is_refused(desk, held):
    ada, action = held
    other = await published_spec(desk, ada)
    with refused(RuleBroken, "unknown_criterion"):
        await commit(desk, ada, action, criterion_ids=other.actions[0]["criteria"])
    with refused(RuleBroken, "unknown_criterion"):
        await run_test(desk, ada, action, other.actions[0]["criteria"][0], "passed")
    assert await statuses(desk, ada, action) == ["seen", "seen"]
