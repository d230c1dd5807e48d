"""The tools that a whole build does not need: each runs in each client, with the client's own approval rules."""

import httpx

from tests.clients.agents import play, step
from tests.clients.running import RunningServer


def test_a_question_is_relayed_a_file_read_and_the_action_given_back(server: RunningServer, client: str):
    agent = server.agent("Builder")
    work = server.work(agent)
    server.attach(work.spec_id, "sketch.txt", b"a box with two fields")
    server.person("publish_build", spec_id=work.spec_id)
    about = {"action_pid": work.actions[0]["refCode"]}
    played = play(
        client,
        server,
        agent,
        [
            step("claim_action", **about),
            step("get_action_brief", **about),
            step("get_attachment_url", attachment_pid="$2.spec.attachments.0.pid"),
            step("request_clarification", question="One page or two?", **about),
            step("answer_clarification", clarification_pid="$4.pid", answer="One."),
            step("release_action", **about),
            step("claim_action", **about),
            step("update_progress", status="wont-do", message="The old page does it already.", **about),
        ],
    )
    _claimed, _brief, link, _question, answered, released, second, dropped = played.answers
    assert httpx.get(link["url"]).text == "a box with two fields"
    assert answered["status"] == "answered"
    assert answered["relayed"] is True
    assert released["status"] == "not-started"
    assert second["claim"]["fence"] == 2
    assert dropped["status"] == "wont-do"


def test_a_refusal_reaches_the_model_with_what_to_do_next(server: RunningServer, client: str):
    agent = server.agent("Builder")
    work = server.work(agent)
    about = {"action_pid": work.actions[0]["pid"]}
    refused = play(
        client,
        server,
        agent,
        [
            step("update_progress", status="started", message="Began.", **about),
            step("claim_action", action_pid="PEN-999"),
            step("report_test_result", criterion_id="nonsense", outcome="perhaps", **about),
        ],
    ).answers
    assert [answer["error"]["status"] for answer in refused] == [422, 404, 422]
    assert "claim_action" in refused[0]["error"]["message"]


def test_a_token_that_only_reads_shows_only_what_reads(server: RunningServer, client: str):
    agent = server.agent("Reader", "specs.read")
    server.work(agent)
    played = play(client, server, agent, [step("list_available_specs")])
    assert played.tools == {"list_available_specs", "get_spec", "get_action_brief", "get_attachment_url"}
