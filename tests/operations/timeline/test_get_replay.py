"""A project played again."""

from pendesk.domain.access import Role
from pendesk.operations.timeline import get_replay
from tests.exchange import exported, import_file
from tests.workbench import published_spec


async def test_every_move_from_state_to_state(desk):
    ada, grace = await desk.person("Ada"), await desk.person("Grace")
    work = await published_spec(desk, ada, actions=2, participants=(grace,))
    first, second = work.actions
    await desk.call(grace, "claim_action", action_pid=first["pid"])
    await desk.call(grace, "release_action", action_pid=first["pid"])
    await desk.call(ada, "update_action", action_id=second["pid"], state="wont_do", reason="Not needed.")
    told = await desk.call(ada, "get_replay", project_id=work.project_id)
    assert [(move["refCode"], move["state"]) for move in told["moves"]] == [
        (first["refCode"], "todo"),
        (second["refCode"], "todo"),
        (first["refCode"], "in_progress"),
        (first["refCode"], "todo"),
        (second["refCode"], "wont_do"),
    ]


async def test_a_long_past_comes_in_parts(desk, monkeypatch):
    monkeypatch.setattr(get_replay, "REPLAY_MOVES", 3)
    ada = await desk.person("Ada")
    work = await published_spec(desk, ada, actions=5)
    first = await desk.call(ada, "get_replay", project_id=work.project_id)
    rest = await desk.call(ada, "get_replay", project_id=work.project_id, after=first["nextCursor"])
    assert [len(first["moves"]), len(rest["moves"])] == [3, 2]
    assert "nextCursor" not in rest


async def test_what_was_imported_stands_where_it_stood_when_it_came(desk):
    ada = await desk.person("Ada")
    await desk.call(ada, "load_sample")
    await desk.call(ada, "claim_action", action_pid="HRB-1")
    moves = (await desk.call(ada, "get_replay", project_id="HRB"))["moves"]
    of_one = [(move["seq"] == 0, move["state"]) for move in moves if move["refCode"] == "HRB-1"]
    assert of_one == [(True, "todo"), (False, "in_progress")]
    assert [move["state"] for move in moves if move["refCode"] == "HRB-27"] == ["backlog"]
    assert len(moves) == 28


async def test_work_that_was_imported_in_review_and_is_submitted_again(desk):
    """It came with changes requested, and its first events here are the claim of the rework and the submission."""
    ada, grace = await desk.person("Ada", Role.ADMIN), await desk.person("Grace")
    work = await published_spec(desk, ada, participants=(grace,))
    pid = work.actions[0]["pid"]
    submission = {"pr_url": "https://example.com/pr/1", "summary": "It works."}
    evidence = [{"criterionId": ident, "evidence": "Shown in the test."} for ident in work.actions[0]["criteria"]]
    await desk.call(grace, "claim_action", action_pid=pid)
    await desk.call(grace, "submit_for_review", action_pid=pid, evidence=evidence, **submission)
    verdict = {"verdict": "changes_requested", "summary": "Not yet.", "verdicts": []}
    await desk.call(ada, "review_action", action_pid=pid, **verdict)
    copy = await import_file(desk, ada, await exported(desk, ada, work.project_id), as_copy=True)
    ref = f"{copy['key']}-1"
    await desk.call(grace, "resubmit_for_review", action_pid=ref, **submission)
    moves = (await desk.call(ada, "get_replay", project_id=copy["key"]))["moves"]
    states = [move["state"] for move in moves if move["refCode"] == ref]
    assert states == ["changes_requested", "changes_requested", "in_review"]


async def test_of_a_long_past_the_newest_moves_begin_where_each_was(desk):
    ada = await desk.person("Ada")
    work = await published_spec(desk, ada, actions=2)
    first, second = work.actions
    await desk.call(ada, "update_action", action_id=first["pid"], state="backlog")
    await desk.call(ada, "update_action", action_id=second["pid"], state="wont_do", reason="Not needed.")
    told = await desk.call(ada, "get_replay", project_id=work.project_id, newest=2)
    assert [(move["refCode"], move["seq"] == 0, move["state"]) for move in told["moves"]] == [
        (first["refCode"], True, "todo"),
        (second["refCode"], True, "todo"),
        (first["refCode"], False, "backlog"),
        (second["refCode"], False, "wont_do"),
    ]
    whole = await desk.call(ada, "get_replay", project_id=work.project_id)
    assert await desk.call(ada, "get_replay", project_id=work.project_id, newest=4) == whole
