"""Who may speak for GitHub."""

import hashlib
import hmac
import json

import pytest

from pendesk.ids import new_id
from tests import github_payloads as github


async def nothing_was_written(hub):
    view = await hub.desk.call(hub.owner, "get_github_webhook", project_id=hub.work.project_id)
    return view["deliveries"] == [] and (await hub.action())["commits"] == []


def a_push():
    return github.push([github.commit(1, "PEN-1 add the form")])


async def test_a_signed_call_is_believed(hub):
    answer = await hub.send("push", a_push())
    assert (answer.status_code, answer.json()) == (200, {"outcome": "1 commits on main, for 1 actions."})
    assert len((await hub.action())["commits"]) == 1


@pytest.mark.parametrize(
    "signature",
    [
        "",
        "sha256=",
        "sha256=" + "0" * 64,
        "sha256=" + "0" * 63,
        "sha1=" + "0" * 40,
        "sha256=" + "é" * 64,
        "none",
    ],
)
async def test_a_wrong_signature_is_refused_without_detail(hub, signature):
    body, headers = github.signed(hub.secret, "push", a_push())
    raw = [(name.encode(), value.encode()) for name, value in headers.items() if name != "X-Hub-Signature-256"]
    raw.append((b"X-Hub-Signature-256", signature.encode()))
    answer = await hub.http.post(hub.path, content=body, headers=raw)
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "bad_signature"
    assert await nothing_was_written(hub)


async def test_missing_wrong_unknown_and_twice_signed_look_alike(hub):
    body, headers = github.signed(hub.secret, "push", a_push())
    good = headers.pop("X-Hub-Signature-256")
    told = [(name, value) for name, value in headers.items()]
    answers = [
        await hub.http.post(hub.path, content=body, headers=headers),
        await hub.http.post(hub.path, content=body, headers=[*told, ("X-Hub-Signature-256", good.upper())]),
        await hub.http.post(
            hub.path, content=body, headers=[*told, ("X-Hub-Signature-256", "x"), ("X-Hub-Signature-256", good)]
        ),
        await hub.http.post(hub.path, content=body + b" ", headers=[*told, ("X-Hub-Signature-256", good)]),
        await hub.http.post(
            f"/webhooks/github/{new_id()}", content=body, headers=[*told, ("X-Hub-Signature-256", good)]
        ),
        await hub.http.post("/webhooks/github/PEN", content=body, headers=[*told, ("X-Hub-Signature-256", good)]),
        await hub.http.post("/webhooks/github", content=b"{}", headers=[*told, ("X-Hub-Signature-256", good)]),
        await hub.http.post("/webhooks/github", content=b"[" * 90_000, headers=told),
        await hub.http.post(hub.path, content=b"", headers={}),
    ]
    assert {(answer.status_code, answer.text) for answer in answers} == {(403, answers[0].text)}
    assert await nothing_was_written(hub)


async def test_the_signature_is_over_the_bytes_as_they_came(hub):
    spaced = json.dumps(a_push(), indent=3, ensure_ascii=False).encode()
    assert (await hub.send("push", spaced)).status_code == 200


async def test_guessable_secrets_open_nothing(hub):
    for guess in (b"", hub.work.project_id.encode(), hub.desk.workspace.encode()):
        body, headers = github.signed("", "push", a_push())
        headers["X-Hub-Signature-256"] = "sha256=" + hmac.new(guess, body, hashlib.sha256).hexdigest()
        assert (await hub.http.post(hub.path, content=body, headers=headers)).status_code == 403


async def test_another_projects_secret_opens_nothing(hub):
    other = await hub.desk.call(hub.owner, "create_project", name="Other", repository_url=github.PAGE)
    made = await hub.desk.call(hub.owner, "set_github_webhook", project_id=other["pid"])
    mine, hub.secret = hub.secret, made["secret"]
    assert mine != hub.secret
    assert (await hub.send("push", a_push())).status_code == 403
    assert (await hub.send("push", a_push(), path=f"/webhooks/github/{other['pid']}")).status_code == 200
    assert await nothing_was_written(hub)


async def test_a_replaced_secret_stops_working_at_once_and_never_comes_back(hub):
    first = hub.secret
    second = await hub.set_up()
    await hub.desk.call(hub.owner, "remove_github_webhook", project_id=hub.work.project_id)
    assert (await hub.send("ping", github.ping())).status_code == 403
    third = await hub.set_up()
    assert len({first, second, third}) == 3
    assert (await hub.send("ping", github.ping())).status_code == 200
    for hub.secret in (first, second):
        assert (await hub.send("ping", github.ping())).status_code == 403


async def test_a_body_over_the_limit_is_413_told_or_not(hub):
    huge = b'{"a": "' + b"x" * 1_000_000 + b'"}'
    assert (await hub.send("push", huge)).status_code == 413

    async def chunks():
        for _ in range(11):
            yield b"x" * 100_000

    answer = await hub.http.post(hub.path, content=chunks(), headers={"X-Hub-Signature-256": "sha256=" + "0" * 64})
    assert answer.status_code == 413
    assert await nothing_was_written(hub)


async def test_only_post_is_served(hub):
    answer = await hub.http.get(hub.path)
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


async def test_the_secret_is_in_no_table_and_no_event(hub):
    def all_text(tx):
        rows = tx.all("SELECT generation, set_by, set_at FROM github_webhooks WHERE workspace_id = :workspace")
        return repr(rows + tx.all("SELECT data FROM events WHERE workspace_id = :workspace"))

    assert hub.secret not in await hub.desk.store.read(hub.desk.workspace, all_text)
    view = await hub.desk.call(hub.owner, "get_github_webhook", project_id=hub.work.project_id)
    assert view["isSet"]
    assert hub.secret not in json.dumps(view)
