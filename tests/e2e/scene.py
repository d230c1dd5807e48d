"""A desk that people and agents have worked at: the sample project with claims, questions, commits and submissions.

Made through the dispatcher, as anybody would make it. `pause` lets time pass, where the clock is one that a hand moves.
"""

import hashlib
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec

from pendesk import clock
from pendesk.domain.access import ALL_SCOPES, TOKEN_SCOPES, Actor, Role
from pendesk.domain.agent_session import CallOrigin, MarkKind, make_mark
from pendesk.operations.attachments.receipts import make_signed_file_receipt
from pendesk.operations.operation import encode_json
from pendesk.transports.service import Service
from tests.callers import create_first_workspace, find_local_actor

Pause = Callable[[float], None]  # minutes
Past = Callable[["Scene", Pause], Awaitable[None]]
# Three agents of Ada, of which two are terminals of one client, and one that has a member of its own.
CLAUDE, CLAUDE_2 = "Claude Code on ada-laptop", "Claude Code on ada-laptop #2"
CODEX, CI_JOB = "Codex on ada-laptop", "CI job"
MODELS = {CLAUDE: "claude-opus-5", CLAUDE_2: "claude-sonnet-5", CODEX: "gpt-6-codex", CI_JOB: "gpt-6-mini"}
LOCKED = """tests/test_store.py::test_two_threads FAILED
  first   BEGIN IMMEDIATE              0.001 s
  second  BEGIN IMMEDIATE              5.003 s
E   sqlite3.OperationalError: database is locked
1 failed, 40 passed in 7.12 s
"""
SHAS = [hashlib.sha1(str(number).encode()).hexdigest() for number in range(40)]


def pull_request(ref: str) -> str:
    return f"https://github.com/fernhill/harbour/pull/{ref.partition('-')[2]}"


class Scene(NamedTuple):
    service: Service
    owner: Actor
    people: dict[str, Actor]
    tokens: dict[str, str]

    def user_ids(self) -> list[str]:
        """Of all who work here; one person may have several agents."""
        return list(dict.fromkeys(actor.user_id for actor in self.people.values()))

    async def call(self, actor: Actor, operation: str, **arguments: Any) -> dict[str, Any]:
        answer = await self.service.dispatcher.call(actor, operation, arguments)
        body: dict[str, Any] = msgspec.json.decode(encode_json(answer))
        return body

    async def build(self, name: str, ref: str, commits: int = 1, tested: int = 0) -> list[str]:
        """An agent claims it, reads the brief, reports commits and tests; the ids of its criteria."""
        agent = self.people[name]
        await self.call(agent, "claim_action", action_pid=ref, agent_model=MODELS[name])
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
        return ids

    async def fail(self, agent: str, ref: str, criterion_id: str, output: str) -> None:
        report = {"criterion_id": criterion_id, "outcome": "failed", "evidence": output}
        await self.call(self.people[agent], "report_test_result", action_pid=ref, **report)

    async def attach(self, agent: str, ref: str, criterion_id: str, name: str, text: str) -> None:
        installation = self.service.dispatcher.installation
        with installation.files.start_upload(len(text)) as upload:
            upload.write(text.encode())
            receipt = make_signed_file_receipt(installation, self.people[agent], upload.save(), clock.now_us())
        file = {"name": name, "media_type": "text/plain", "receipt": receipt}
        await self.call(self.people[agent], "attach_evidence", action_id=ref, criterion_id=criterion_id, **file)

    async def submit(self, agent: str, ref: str, ids: list[str], unmet: dict[str, str] | None = None) -> None:
        """`unmet`: by the id of a criterion, why it does not hold."""
        reasons = unmet or {}
        await self.call(
            self.people[agent],
            "submit_for_review",
            action_pid=ref,
            pr_url=pull_request(ref),
            summary="What is met has a test that failed before." if reasons else "All criteria are met, with tests.",
            evidence=[
                {"criterionId": criterion_id, "evidence": "make check, build/junit.xml"}
                for criterion_id in ids
                if criterion_id not in reasons
            ],
            unmet=[{"criterionId": criterion_id, "reason": reason} for criterion_id, reason in reasons.items()],
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
    await _add_people(scene)
    for spec in specs:
        for user_id in scene.user_ids():
            await scene.call(owner, "add_participant", spec_id=spec["pid"], user_id=user_id)
    if past:
        await past(scene, pause)
    await _work(scene, pause)
    return scene


async def _add_people(scene: Scene) -> None:
    owner = scene.owner
    bo = await scene.call(owner, "create_user", name="Bo Okafor", kind="person", email="bo@example.com")
    job = await scene.call(owner, "create_user", name=CI_JOB, kind="agent")
    member = Actor(owner.workspace_id, bo["userId"], "Bo Okafor", Role.MEMBER, TOKEN_SCOPES, "mcp")
    scene.people["Bo Okafor"] = member
    ada = owner._replace(scopes=TOKEN_SCOPES, via="mcp")
    await _add_agent(scene, member._replace(user_id=job["userId"], user_name=CI_JOB), CI_JOB, CallOrigin())
    await _add_agent(scene, ada, CLAUDE, _terminal("claude-code", "1"))
    await _add_agent(scene, ada, CODEX, _terminal("codex", "2"))
    scene.people[CLAUDE_2] = scene.people[CLAUDE]._replace(origin=_terminal("claude-code", "3"))


def _terminal(client: str, process: str) -> CallOrigin:
    return CallOrigin(client, "ada-laptop", marks=frozenset({make_mark(MarkKind.PROCESS, process)}))


async def _add_agent(scene: Scene, actor: Actor, name: str, origin: CallOrigin) -> None:
    token = await scene.call(scene.owner, "create_token", name=name, user_pid=actor.user_id)
    scene.people[name] = actor._replace(token_id=token["tokenId"], origin=origin)
    scene.tokens[name] = token["token"]


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
    job = scene.people[CI_JOB].user_id
    await scene.call(mara, "create_token", name="Spare runner", user_pid=job)
    await scene.call(mara, "create_webhook", url="https://hooks.example.com/services/harbour")
    project = (await scene.call(mara, "get_project", project_id="HRB"))["pid"]
    await scene.call(mara, "create_share", project_id=project)
    await scene.call(mara, "create_share", project_id=project, action_id="HRB-3")
    await scene.call(mara, "invite_member", email="new.colleague@example.com")
    return mara.user_id


async def _work(scene: Scene, pause: Pause) -> None:
    pause(95)
    package = await scene.build(CLAUDE, "HRB-1", 2, 3)
    await scene.submit(CLAUDE, "HRB-1", package)
    pause(20)
    verdicts = [{"criterionId": criterion_id, "verdict": "confirmed"} for criterion_id in package]
    await scene.call(
        scene.owner, "review_action", action_pid="HRB-1", verdict="approved", summary="Clean.", verdicts=verdicts
    )
    await _submit_with_a_failure(scene)
    await scene.build(CI_JOB, "HRB-8", 1, 1)
    pause(33)
    await _request_changes(scene, pause)
    await scene.build(CLAUDE, "HRB-2", 2, 2)
    await scene.call(
        scene.people[CLAUDE],
        "request_clarification",
        action_pid="HRB-2",
        question="Should an unknown key in `[rules]` be refused like one in a check, or only warned about?",
    )
    pause(17)
    rules = await scene.build(CLAUDE_2, "HRB-4", 1, 1)
    await scene.fail(CLAUDE_2, "HRB-4", rules[1], "tests/test_rules.py::test_degraded: expected degraded, got up")
    bo = scene.people["Bo Okafor"]
    await scene.call(bo, "claim_action", action_pid="HRB-13")
    await scene.call(
        bo, "update_progress", action_pid="HRB-13", status="started", message="Drafted the first three texts."
    )
    pause(2)


async def _submit_with_a_failure(scene: Scene) -> None:
    store = await scene.build(CLAUDE, "HRB-3", 3, 4)
    await scene.fail(CLAUDE, "HRB-3", store[2], "tests/test_store.py::test_two_threads: database is locked")
    await scene.attach(CLAUDE, "HRB-3", store[2], "test_two_threads.log", LOCKED)
    await scene.submit(CLAUDE, "HRB-3", store, {store[2]: "Two threads at once still lock each other out."})


async def _request_changes(scene: Scene, pause: Pause) -> None:
    """Of work that belongs to no spec; nobody has gone on with it since."""
    project = (await scene.call(scene.owner, "get_project", project_id="HRB"))["pid"]
    criteria = ["A push runs every test", "A failing test names its file", "A run takes less than five minutes"]
    action = await scene.call(
        scene.owner,
        "create_action",
        project_id=project,
        label="Run the tests on every push",
        area="ops",
        state="todo",
        criteria=criteria,
    )
    ref = action["refCode"]
    ids = await scene.build(CODEX, ref, 1, 3)
    await scene.submit(CODEX, ref, ids)
    pause(6)
    verdicts = [{"criterionId": ids[2], "verdict": "rejected", "note": "It took nine minutes for me."}]
    await scene.call(
        scene.owner,
        "review_action",
        action_pid=ref,
        verdict="changes_requested",
        summary="Good, but too slow.",
        verdicts=verdicts,
    )
