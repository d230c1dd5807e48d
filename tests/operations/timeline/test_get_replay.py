"""A project played again."""

from pendesk.operations.timeline import get_replay
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
