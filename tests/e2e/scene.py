"""A desk that people and agents have worked at: the sample project with claims, questions, commits and submissions.

Made through the dispatcher, as anybody would make it. `pause` lets time pass, where the clock is one that a hand moves.
"""

import hashlib
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec

from pendesk.domain.access import ALL_SCOPES, TOKEN_SCOPES, Actor, Role
from pendesk.operations.operation import encode_json
from pendesk.transports.service import Service
from tests.callers import create_first_workspace, find_local_actor

Pause = Callable[[float], None]  # minutes
Past = Callable[["Scene", Pause], Awaitable[None]]
SHAS = [hashlib.sha1(str(number).encode()).hexdigest() for number in range(40)]


def pull_request(ref: str) -> str:
    return f"https://github.com/fernhill/harbour/pull/{ref.partition('-')[2]}"


class Scene(NamedTuple):
    service: Service
    owner: Actor
    people: dict[str, Actor]
    tokens: dict[str, str]

    async def call(self, actor: Actor, operation: str, **arguments: Any) -> dict[str, Any]:
        answer = await self.service.dispatcher.call(actor, operation, arguments)
        body: dict[str, Any] = msgspec.json.decode(encode_json(answer))
        return body

    async def build(self, name: str, ref: str, model: str, commits: int = 1, tested: int = 0) -> dict[str, Any]:
        """An agent claims it, reads the brief, reports commits and tests."""
        agent = self.people[name]
        await self.call(agent, "claim_action", action_pid=ref, agent_model=model)
        brief = await self.call(agent, "get_action_brief", action_pid=ref)
        ids = [criterion["id"] for criterion in brief["action"]["acceptanceCriteria"]]
        for number in range(commits):
            sha = SHAS[(int(ref.partition("-")[2]) * 3 + number) % len(SHAS)]
            message = f"Part {number + 1} of {ref}: the rule and its tests"
            await self.call(
                agent, "report_commit", action_pid=ref, sha=sha, message=message, criterion_ids=ids[number : number + 2]
            )
        for criterion_id in ids[:tested]:
            await self.call(
                agent,
                "report_test_result",
                action_pid=ref,
                criterion_id=criterion_id,
                outcome="passed",
                evidence="9/9 passed in tests/",
            )
        return {"ids": ids}

    async def submit(self, agent: str, ref: str, ids: list[str]) -> None:
        await self.call(
            self.people[agent],
            "submit_for_review",
            action_pid=ref,
            pr_url=pull_request(ref),
            summary="All criteria are met; each has a test that failed before.",
            evidence=[{"criterionId": criterion_id, "evidence": "make check, build/junit.xml"} for criterion_id in ids],
        )

    async def resubmit(self, agent: str, ref: str) -> None:
        brief = await self.call(self.people[agent], "get_action_brief", action_pid=ref)
        items = [item["id"] for item in brief["review"]["items"]]
        await self.call(
            self.people[agent],
            "resubmit_for_review",
            action_pid=ref,
            pr_url=pull_request(ref),
            summary="What was asked for is in the last commit.",
            dispositions=[
                {"itemId": item_id, "disposition": "fixed", "note": "In the last commit."} for item_id in items
            ],
        )


async def create_workspace(service: Service) -> Scene:
    """The first day: one person, and nothing yet."""
    await create_first_workspace(
        service.dispatcher, workspace="Fernhill", name="Ada Lindqvist", email="ada@example.com"
    )
    local = await find_local_actor(service.dispatcher)
    assert local is not None
    return Scene(service, local._replace(scopes=ALL_SCOPES, via="web"), {}, {})


async def furnish(service: Service, pause: Pause = lambda _minutes: None, past: Past | None = None) -> Scene:
    """`past` is what happened here before."""
    scene = await create_workspace(service)
    owner = scene.owner
    await scene.call(owner, "load_sample")
    specs = (await scene.call(owner, "list_specs", project_id="HRB"))["specs"]
    for name, kind in (("Bo Okafor", "person"), ("builder-1", "agent"), ("builder-2", "agent")):
        email = {"email": "bo@example.com"} if kind == "person" else {}
        created = await scene.call(owner, "create_user", name=name, kind=kind, **email)
        actor = Actor(owner.workspace_id, created["userId"], name, Role.MEMBER, TOKEN_SCOPES, "mcp")
        if kind == "agent":
            token = await scene.call(owner, "create_token", name=name, user_pid=created["userId"])
            actor, scene.tokens[name] = actor._replace(token_id=token["tokenId"]), token["token"]
        scene.people[name] = actor
        for spec in specs:
            await scene.call(owner, "add_participant", spec_id=spec["pid"], user_id=created["userId"])
    if past:
        await past(scene, pause)
    await _work(scene, pause)
    return scene


async def add_leaver(scene: Scene) -> str:
    """An admin who owns one of everything that ends or is handed over with them; their user id."""
    created = await scene.call(
        scene.owner, "create_user", name="Mara Jensen", email="mara@example.com", role="admin", kind="person"
    )
    mara = scene.owner._replace(user_id=created["userId"], user_name="Mara Jensen", role=Role.ADMIN)
    agent = (await scene.call(mara, "create_user", name="nightly-builder", kind="agent"))["userId"]
    for name in ("CI", "Claude Code in the cloud"):
        await scene.call(mara, "create_token", name=name, user_pid=agent)
    await scene.call(mara, "create_token", name="Claude Code on my laptop")
    builder = scene.people["builder-2"].user_id
    await scene.call(mara, "create_token", name="Spare runner", user_pid=builder)
    await scene.call(mara, "create_webhook", url="https://hooks.example.com/services/harbour")
    project = (await scene.call(mara, "get_project", project_id="HRB"))["pid"]
    await scene.call(mara, "create_share", project_id=project)
    await scene.call(mara, "create_share", project_id=project, action_id="HRB-3")
    await scene.call(mara, "invite_member", email="new.colleague@example.com")
    return mara.user_id


async def _work(scene: Scene, pause: Pause) -> None:
    pause(95)
    first = await scene.build("builder-1", "HRB-1", "claude-opus-5", 2, 3)
    await scene.submit("builder-1", "HRB-1", first["ids"])
    pause(20)
    verdicts = [{"criterionId": criterion_id, "verdict": "confirmed"} for criterion_id in first["ids"]]
    await scene.call(
        scene.owner, "review_action", action_pid="HRB-1", verdict="approved", summary="Clean.", verdicts=verdicts
    )
    second = await scene.build("builder-1", "HRB-3", "claude-opus-5", 3, 4)
    await scene.submit("builder-1", "HRB-3", second["ids"])
    await scene.build("builder-2", "HRB-8", "gpt-6-codex", 1, 1)
    pause(33)
    await scene.build("builder-1", "HRB-2", "claude-opus-5", 2, 2)
    await scene.call(
        scene.people["builder-1"],
        "request_clarification",
        action_pid="HRB-2",
        question="Should an unknown key in `[rules]` be refused like one in a check, or only warned about?",
    )
    pause(17)
    await scene.build("builder-1", "HRB-4", "claude-opus-5", 1, 1)
    bo = scene.people["Bo Okafor"]
    await scene.call(bo, "claim_action", action_pid="HRB-13")
    await scene.call(
        bo, "update_progress", action_pid="HRB-13", status="started", message="Drafted the first three texts."
    )
    pause(2)
