"""The longest brief reaches the model whole: no client shortens what we give, and reading on works from there."""

from tests.clients.agents import play, step
from tests.clients.running import RunningServer

SENTENCE = "The form shows each error beside its field, and keeps what was typed. "


def test_what_was_cut_can_be_read_on(server: RunningServer, client: str):
    agent = server.agent("Builder")
    work = server.work(agent)
    long = (SENTENCE * 1500)[:100_000]
    server.person("update_spec", spec_id=work.spec_id, summary=long, results=[long[:2000]] * 50)
    server.person("update_plan", plan_id=work.plan_id, approach=f"First this. {long}"[:100_000])
    server.person("publish_build", spec_id=work.spec_id)
    about = {"action_pid": work.actions[0]["pid"]}
    brief, rest = play(
        client, server, agent, [step("get_action_brief", **about), step("get_action_brief", rest="$1.cut.0", **about)]
    ).answers
    assert brief["plan"]["approach"].startswith("First this. ")
    assert brief["cut"]
    assert rest["rest"]["of"] == brief["cut"][0]
    assert rest["rest"]["next"]
