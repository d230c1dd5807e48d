"""What becomes of a delivery: its repository, its replays, and what is not understood."""

import asyncio
import json
from urllib.parse import urlencode

import pytest

from pendesk.ids import new_id
from tests import github_payloads as github


async def deliveries(hub):
    view = await hub.desk.call(hub.owner, "get_github_webhook", project_id=hub.work.project_id)
    return view["deliveries"]


async def test_a_ping_is_answered(hub):
    answer = await hub.send("ping", github.ping())
    assert (answer.status_code, answer.json()["outcome"]) == (200, "The webhook works.")
    assert [one["event"] for one in await deliveries(hub)] == ["ping"]


async def test_an_event_that_is_not_used_is_accepted_and_kept_in_the_list(hub):
    payload = {"action": "created", "repository": github.repository(), "sender": github.sender()}
    answer = await hub.send("star", payload)
    assert (answer.status_code, answer.json()["outcome"]) == (202, "Not used here.")


@pytest.mark.parametrize("name", ["acme/other", "evil/harbor", "acme/harbor2", "", "acme", "x/acme/harbor"])
async def test_a_foreign_repository_is_refused_although_it_is_signed(hub, name):
    payload = github.push([github.commit(1, "PEN-1")])
    payload["repository"]["full_name"] = name
    answer = await hub.send("push", payload)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "foreign_repository")
    assert await deliveries(hub) == []
    assert (await hub.action())["commits"] == []


async def test_a_project_that_lost_its_repository_accepts_nothing(hub):
    await hub.desk.call(hub.owner, "update_project", project_id=hub.work.project_id, repository_url="")
    assert (await hub.send("ping", github.ping())).status_code == 403


@pytest.fixture
async def elsewhere(hub):
    """The project at a repository that no other test's project has, and a ping from there."""
    name = f"acme/{new_id()}"
    url = f"https://github.com/{name}"
    await hub.desk.call(hub.owner, "update_project", project_id=hub.work.project_id, repository_url=url)
    return url, {**github.ping(), "repository": github.repository(name)}


async def test_the_repository_in_the_payload_finds_the_project(hub, elsewhere):
    _, ping = elsewhere
    assert (await hub.send("ping", ping, path="/webhooks/github")).status_code == 200
    assert len(await deliveries(hub)) == 1
    assert (await hub.send("ping", github.ping(), path="/webhooks/github")).status_code == 403


async def test_of_two_projects_of_a_repository_the_signature_tells_which(hub, elsewhere, monkeypatch):
    url, ping = elsewhere
    other = await hub.desk.call(hub.owner, "create_project", name="Other", repository_url=f"{url}.git")
    made = await hub.desk.call(hub.owner, "set_github_webhook", project_id=other["pid"])
    assert (await hub.send("ping", ping, path="/webhooks/github")).status_code == 200
    assert len(await deliveries(hub)) == 1
    # Later projects of the same repository do not push the first one out.
    monkeypatch.setattr("pendesk.operations.github.authenticate_delivery.PROJECTS_PER_REPOSITORY", 1)
    assert (await hub.send("ping", {**ping, "zen": "2"}, path="/webhooks/github")).status_code == 200
    hub.secret = made["secret"]
    assert (await hub.send("ping", ping, path="/webhooks/github")).status_code == 403


async def test_a_form_is_read_like_json(hub):
    body = urlencode({"payload": json.dumps(github.push([github.commit(1, "PEN-1 ä")]))}).encode()
    answer = await hub.send("push", body, Content_Type="application/x-www-form-urlencoded")
    assert answer.status_code == 200
    assert (await hub.action())["commits"][0]["message"] == "PEN-1 ä"


async def test_the_same_delivery_twice_is_one(hub):
    payload, delivery = github.push([github.commit(1, "PEN-1")]), new_id()
    assert "repeated" not in (await hub.send("push", payload, delivery=delivery)).json()
    again = await hub.send("push", payload, delivery=delivery)
    assert (again.status_code, again.json()["repeated"]) == (200, True)
    assert len(await hub.log("commit.pushed")) == 1


async def test_an_id_that_was_used_for_another_body_is_refused_and_says_so(hub):
    first, second, delivery = (
        github.push([github.commit(1, "PEN-1")]),
        github.push([github.commit(2, "PEN-1")]),
        new_id(),
    )
    await hub.send("push", first, delivery=delivery)
    answer = await hub.send("push", second, delivery=delivery)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "delivery_id_reused")
    assert delivery in answer.json()["error"]["message"]
    assert (await hub.send("push", first, delivery=delivery)).json()["repeated"]
    assert "repeated" not in (await hub.send("push", second)).json()
    assert len(await hub.log("commit.pushed")) == 2
    # Both are known now, each under an id of its own.
    assert (await hub.send("push", second, delivery=delivery)).json()["repeated"]


async def test_a_replay_under_another_id_is_told_by_its_body(hub):
    payload = github.push([github.commit(1, "PEN-1")])
    await hub.send("push", payload)
    assert (await hub.send("push", payload)).json()["repeated"]
    assert len(await deliveries(hub)) == 1


async def test_the_same_delivery_in_parallel_is_one(hub):
    payload, delivery = github.push([github.commit(1, "PEN-1")]), new_id()
    answers = await asyncio.gather(*(hub.send("push", payload, delivery=delivery) for _ in range(12)))
    assert {answer.status_code for answer in answers} == {200}
    assert sum("repeated" not in answer.json() for answer in answers) == 1
    assert len(await deliveries(hub)) == 1
    assert len(await hub.log("commit.pushed")) == 1


async def test_many_deliveries_in_parallel_are_all_kept(hub):
    pushes = [github.push([github.commit(number, "PEN-1")]) for number in range(12)]
    answers = await asyncio.gather(*(hub.send("push", payload) for payload in pushes))
    assert {answer.status_code for answer in answers} == {200}
    assert len((await hub.action())["commits"]) == 12
    assert len(await deliveries(hub)) == 12


async def test_the_history_is_bounded(hub, monkeypatch):
    monkeypatch.setattr("pendesk.store.github.DELIVERIES_KEPT", 3)
    for number in range(5):
        await hub.send("push", github.push([github.commit(number, "x")], branch=f"b{number}"))
    assert [one["outcome"] for one in await deliveries(hub)] == [
        f"1 commits on b{number}, for 0 actions." for number in (4, 3, 2)
    ]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"repository": 7}',
        b'{"repository": {"full_name": "\\ud800"}}',
        json.dumps({"repository": github.repository()}).encode(),
        json.dumps({**github.push([]), "commits": "all"}).encode(),
        json.dumps({**github.push([]), "before": "HEAD"}).encode(),
        json.dumps({**github.push([github.commit(1, "x")]), "commits": [{"id": "x" * 40, "message": ""}]}).encode(),
    ],
)
async def test_a_signed_body_that_is_no_push_is_422_and_nothing_is_written(hub, body):
    answer = await hub.send("push", body)
    assert answer.status_code == 422
    assert await deliveries(hub) == []


@pytest.mark.parametrize("name", ["X-GitHub-Event", "X-GitHub-Delivery"])
async def test_a_missing_or_strange_header_is_named(hub, name):
    for value in ("", "../../x y"):
        answer = await hub.send("ping", github.ping(), **{name.replace("-", "_"): value})
        assert (answer.status_code, answer.json()["error"]["field"]) == (422, name.lower())


async def test_hostile_texts_are_cleaned_not_refused(hub):
    message = "PEN-1 \x00\x1b[31mred\u202e\n\nbody" + "x" * 10_000
    answer = await hub.send("push", github.push([github.commit(1, message)], branch="a\x07b" + "c" * 400))
    assert answer.status_code == 200
    found = (await hub.action())["commits"][0]
    assert found["message"].startswith("PEN-1 [31mred")
    assert len(found["message"]) == 4000
    assert found["branch"].startswith("abccc")
    assert len(found["branch"]) <= 250


async def test_the_log_says_github(hub):
    await hub.send("push", github.push([github.commit(1, "PEN-1 add the form")]))
    (event,) = await hub.log("commit.pushed")
    assert (event["door"], event["actorId"], event["data"]["by"]) == ("webhook", None, "GitHub")
