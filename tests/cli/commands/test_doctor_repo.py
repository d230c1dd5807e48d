"""doctor --repo: each check is made to fail, and the command that it names makes it well again."""

import json
import os
import shutil
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pendesk.cli.parts.remote import RemoteClient
from pendesk.domain.access import PLANNING_SCOPES
from pendesk.operations.registry import TOOLS
from tests.cli.conftest import commit, git
from tests.cli.fixes import commands, follow
from tests.clients.running import Office, RunningServer, started

PLANNING_TOOLS = sum(tool.scope in PLANNING_SCOPES for tool in TOOLS)


class ConnectedRepo(NamedTuple):
    repo: Path
    server: RunningServer
    ask: Callable[..., Any]
    run: Callable[..., Any]

    def problems(self) -> dict[str, dict[str, str]]:
        """What is wrong, by the check's name."""
        return {name: check for name, check in self.checks().items() if check["state"] != "ok"}

    def checks(self) -> dict[str, dict[str, str]]:
        result = self.run("doctor", "--repo", str(self.repo), "--json")
        report = json.loads(result.stdout)
        assert (result.exit_code == 0) is report["healthy"]
        # Of several with one name, the one that is wrong.
        return {check["name"]: check for check in sorted(report["checks"], key=lambda check: check["state"] != "ok")}

    def follow(self, fix: str) -> None:
        """Type what the finding says."""
        follow(fix, self.run, self.repo)


@pytest.fixture(scope="module")
def key(module_server: RunningServer) -> str:
    """The only project, with work in it."""
    module_server.person("update_project", project_id="HAR", state="archived")
    ref: str = module_server.work(actions=3).actions[0]["refCode"]
    return ref.split("-")[0]


@pytest.fixture
def bound(
    server: RunningServer, key: str, repo: Path, ask: Callable[..., Any], run: Callable[..., Any]
) -> ConnectedRepo:
    ask("connect", "--agent", "all")
    created = ConnectedRepo(repo, server, ask, run)
    assert created.problems() == {}
    return created


SETTINGS = ".claude/settings.local.json"


def change(path: Path, **fields: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))


def revoke(bound: ConnectedRepo) -> None:
    bound.ask("token", "revoke", json.loads((bound.repo / ".pendesk/local.json").read_text())["tokenId"])


def only_read(bound: ConnectedRepo) -> None:
    token = bound.ask("token", "create", "--name", "x", "--scope", "specs.read")["token"]
    (bound.repo / ".pendesk/token").write_text(token)


def ends_soon(bound: ConnectedRepo) -> None:
    token = bound.ask("token", "create", "--name", "x", "--expires", "1d")["token"]
    (bound.repo / ".pendesk/token").write_text(token)


def expire(bound: ConnectedRepo) -> None:
    """The one that connect made, an hour after its end."""
    token_id = json.loads((bound.repo / ".pendesk/local.json").read_text())["tokenId"]
    sql = "UPDATE tokens SET expires_at = :now - 3600000000 WHERE workspace_id = :workspace AND id = :id"

    async def end(office: Office) -> None:
        await office.service.dispatcher.store.write(
            office.owner.workspace_id, lambda tx: tx.run(sql, now=tx.now, id=token_id)
        )

    bound.server.in_office(end)


def stale_skill(bound: ConnectedRepo) -> None:
    import hashlib

    old = "<!-- pendesk skill 0 -->\n"
    (bound.repo / ".pendesk/skill.md").write_text(old)
    change(bound.repo / ".pendesk/config.json", skill=hashlib.sha256(old.encode()).hexdigest())


BROKEN: dict[str, tuple[Callable[[ConnectedRepo], object], str]] = {
    "no binding": (lambda bound: bound.run("disconnect"), "binding"),
    "a broken binding": (lambda bound: (bound.repo / ".pendesk/config.json").write_text("{"), "binding"),
    "a file is gone": (lambda bound: (bound.repo / ".mcp.json").unlink(), ".mcp.json"),
    "its entry is gone": (lambda bound: change(bound.repo / ".cursor/mcp.json", mcpServers={}), ".cursor/mcp.json"),
    "the block is gone": (lambda bound: (bound.repo / "AGENTS.md").write_text("Mine.\n"), "AGENTS.md"),
    "no codex entry": (lambda bound: (bound.repo / ".codex/config.toml").write_text("a = 1\n"), ".codex/config.toml"),
    "the hook is gone": (lambda bound: change(bound.repo / SETTINGS, hooks={}), SETTINGS),
    "the skill is gone": (lambda bound: (bound.repo / ".pendesk/skill.md").unlink(), "skill"),
    "the skill is stale": (stale_skill, "skill"),
    "others can read the token": (lambda bound: (bound.repo / ".pendesk/token").chmod(0o644), "token file"),
    "no token": (lambda bound: (bound.repo / ".pendesk/token").unlink(), "token"),
    "a revoked token": (revoke, "token"),
    "an expired token": (expire, "token"),
    "another server's token": (lambda bound: (bound.repo / ".pendesk/token").write_text("pendesk_mcp_x"), "token"),
    "a token that only reads": (only_read, "token"),
    "a token that ends soon": (ends_soon, "token"),
    "bound to no project": (lambda bound: change(bound.repo / ".pendesk/config.json", project=None), "project"),
    "no such project": (lambda bound: change(bound.repo / ".pendesk/config.json", project="NONE"), "project"),
    "the server moved": (lambda bound: change(bound.repo / ".pendesk/config.json", url="http://[::1]:1"), "server"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_wrong_is_found_and_its_command_makes_it_right(bound, case):
    spoil, name = BROKEN[case]
    spoil(bound)
    diagnostics = bound.problems()
    assert name in diagnostics
    bound.follow(diagnostics[name]["fix"])
    remaining = bound.problems()
    assert name not in remaining, remaining


def test_the_token_of_the_environment_comes_first_and_is_named(bound, monkeypatch):
    monkeypatch.setenv("PENDESK_MCP_TOKEN", "pendesk_mcp_x")
    assert "unset PENDESK_MCP_TOKEN" in bound.problems()["token"]["fix"]


def test_a_tracked_token_is_found(bound):
    git(bound.repo, "add", "-f", ".pendesk/token")
    commit(bound.repo)
    diagnostic = bound.problems()["token file"]
    bound.follow(diagnostic["fix"])
    assert "token file" not in bound.problems()


def test_why_a_token_is_refused_is_told_to_who_runs_the_server(bound):
    expire(bound)
    assert "401: it expired on" in bound.problems()["token"]["told"]
    bound.ask("connect")
    revoke(bound)
    assert "401: it was revoked on" in bound.problems()["token"]["told"]
    bound.ask("connect")
    (bound.repo / ".pendesk/token").write_text("pendesk_mcp_x")
    assert "not the one" in bound.problems()["token"]["told"]


@pytest.mark.parametrize(
    ("path", "broken", "told", "corrected"),
    [
        (".mcp.json", '{"mcpServers": {},\n}', "line 2, column 1", '{"mcpServers": {}}'),
        (".cursor/mcp.json", "{", "not valid JSON", "{}"),
        (".codex/config.toml", "= nothing", "not valid TOML", "a = 1"),
    ],
)
def test_an_invalid_file_is_named_and_once_corrected_the_command_helps(bound, path, broken, told, corrected):
    (bound.repo / path).write_text(broken)
    diagnostic = bound.problems()[path]
    assert told in diagnostic["told"]
    assert diagnostic["fix"].startswith("Correct it, then run")
    (bound.repo / path).write_text(corrected)
    bound.follow(diagnostic["fix"])
    assert bound.problems() == {}


def test_a_server_that_the_user_once_refused_is_found(bound):
    (bound.repo / ".claude/settings.local.json").write_text('{"disabledMcpjsonServers": ["pendesk"]}')
    assert "reset-project-choices" in bound.problems()["approval"]["fix"]


def test_a_folder_that_codex_does_not_trust_is_found(bound):
    (Path.home() / ".codex").mkdir()
    settings = Path.home() / ".codex/config.toml"
    settings.write_text(f'[projects."{bound.repo}"]\ntrust_level = "untrusted"\n')
    assert "trust_level" in bound.problems()["trust"]["fix"]
    settings.write_text(f'[projects."{bound.repo}"]\ntrust_level = "trusted"\n')
    assert bound.problems() == {}


def test_a_clock_far_from_the_servers_is_found(bound, monkeypatch):
    from pendesk import clock

    real = clock.now_us
    monkeypatch.setattr("pendesk.clock.now_us", lambda: real() + 3_600_000_000)
    assert "60 minutes" in bound.problems()["clock"]["told"]


def test_a_token_is_not_sent_to_an_address_that_a_commit_brought(bound):
    change(bound.repo / ".pendesk/local.json", url="https://elsewhere.example.com")
    assert "belongs to" in bound.problems()["token"]["told"]


def test_a_server_that_stopped(tmp_path, repo, ask, run, monkeypatch):
    data = tmp_path / "data"
    monkeypatch.setenv("PENDESK_DATA", str(data))
    with socket.socket() as probe:  # not one of those that every other server tries first
        probe.bind(("127.0.0.1", 0))
        port = {"port": str(probe.getsockname()[1])}
    pendesk, always = str(Path(sys.executable).with_name("pendesk")), ["--json", "--data", str(data)]
    with started([pendesk, "serve", *always], data, port) as line:
        server = RunningServer(data, json.loads(line)["url"].rstrip("/"))
        server.work()
        ask("connect")
    bound = ConnectedRepo(repo, server, ask, run)
    (words,) = commands(bound.problems()["server"]["fix"])
    with started([pendesk, *words[1:], *always], data, port):
        assert bound.problems() == {}


def test_what_others_hold_is_told_but_no_fault(bound, key):
    bob = bound.server.agent("Bob")
    spec = bound.server.person("list_specs", project_id=key)["specs"][0]["pid"]
    bound.server.person("add_participant", spec_id=spec, user_id=bob.user_id)
    RemoteClient(bound.server.url, bob.token).call_tool("claim_action", {"action_pid": f"{key}-3"})
    result = json.loads(bound.run("doctor", "--repo", str(bound.repo), "--json").stdout)["checks"]
    (claims,) = [check for check in result if check["name"] == "claims"]
    assert f"{key}-3" in claims["told"]
    assert claims["state"] == "ok"


def test_a_look_takes_no_news_from_the_session_that_it_is_for(bound, key, monkeypatch):
    monkeypatch.setenv("PENDESK_SESSION", "left")
    bound.ask("work", "claim_action", f"{key}-2")
    bound.server.person("release_claim", action_pid=f"{key}-2")
    bound.checks()
    listed = bound.ask("work", "list_available_specs")
    assert [item["refCode"] for item in listed["news"]] == [f"{key}-2"]


def test_why_a_plan_is_not_seen(server, repo, ask, run):
    bound = ConnectedRepo(repo, server, ask, run)
    project = server.person("create_project", name="Quiet")
    ask("connect", "--project", project["key"])
    diagnostic = bound.problems()["work"]
    assert "no spec yet" in diagnostic["told"]
    bound.follow(diagnostic["fix"])
    assert "work" not in bound.problems()
    ask("project", "archive", "HRB")
    ask("connect", "--project", project["key"])
    bob = server.agent("Bob")
    spec = server.person("create_spec", project_id=project["key"], title="Hidden")
    diagnostic = bound.problems()["work"]
    assert diagnostic["fix"] == f"Run: pendesk spec publish {spec['pid']}"
    plan = server.person("create_plan", spec_id=spec["pid"], title="Plan", approach="Do it.")
    action = server.person("create_action", plan_id=plan["pid"], label="Build", state="todo")
    server.person("create_criterion", action_id=action["pid"], text="It works.")
    server.person("activate_plan", plan_id=plan["pid"])
    bound.follow(diagnostic["fix"])
    assert "work" not in bound.problems()
    token = bob.token
    (repo / ".pendesk/token").write_text(token)
    assert "work" not in bound.problems()  # everyone takes part
    ask("workspace", "participation", "invitation")
    diagnostic = bound.problems()["work"]
    assert "is not a participant of any published spec" in diagnostic["told"]
    bound.follow(diagnostic["fix"])
    assert "work" not in bound.problems()
    server.person("update_project", project_id=project["key"], state="paused")
    diagnostic = bound.problems()["work"]
    bound.follow(diagnostic["fix"])
    assert "work" not in bound.problems()
    server.person("update_project", project_id=project["key"], state="archived")
    ask("workspace", "participation", "everyone")


def test_a_server_of_the_same_name_further_up(bound):
    inner = bound.repo / "inner"
    inner.mkdir()
    bound.ask("connect", "--repo", str(inner))
    diagnostic = ConnectedRepo(inner, *bound[1:]).problems()
    bound.follow(diagnostic["shadow"]["fix"])
    assert "shadow" not in ConnectedRepo(inner, *bound[1:]).problems()


def test_a_lost_record_leaves_no_second_block_and_no_second_server(bound):
    before = {path: (bound.repo / path).read_bytes() for path in (".mcp.json", "AGENTS.md", ".codex/config.toml")}
    (bound.repo / ".pendesk/config.json").unlink()
    bound.ask("connect", "--agent", "all")
    assert {path: (bound.repo / path).read_bytes() for path in before} == before


def test_without_a_data_folder_only_the_repository_is_looked_at(bound, tmp_path, monkeypatch):
    monkeypatch.setenv("PENDESK_DATA", str(tmp_path / "none"))
    assert bound.problems() == {}


def test_what_tells_terminals_apart_is_said_and_never_wrong(bound, monkeypatch, tmp_path):
    monkeypatch.setenv("PENDESK_SESSION", "left")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    checks = bound.checks()
    assert "every Claude Code session starts with" in checks["session hook"]["told"]
    assert "carry the process of Claude Code" in checks["session marks"]["told"]
    assert "X-Pendesk-Session" in checks["session marks"]["told"]
    monkeypatch.setattr("pendesk.cli.parts.session_diagnostics.list_ancestors", list)
    assert "PENDESK_SESSION" in bound.checks()["session marks"]["fix"]
    monkeypatch.setenv("PATH", str(Path(shutil.which("git") or "").parent))
    assert "PATH" in bound.checks()["session marks"]["fix"]
    bound.ask("connect", "--no-hooks")
    hook = bound.checks()["session hook"]
    assert hook["state"] == "ok"
    bound.follow(hook["fix"])
    assert "not installed" not in bound.checks()["session hook"]["told"]


def test_a_project_of_tasks_is_healthy_for_agents_that_plan_and_that_build(server, repo, ask, run):
    """Also when nothing is left to do, and without a spec."""
    bound = ConnectedRepo(repo, server, ask, run)
    key = server.person("create_project", name="Tasks")["key"]
    task = server.person("create_task", project_id=key, label="Measure", status="todo")
    try:
        for tools, count in (("plan", PLANNING_TOOLS), ("build", 13), ("all", 13 + PLANNING_TOOLS)):
            assert ask("connect", "--project", key, "--tools", tools)["tools"] == count
            assert bound.problems() == {}, tools
            assert f"{count} tools" in bound.checks()["token"]["told"]
            assert task["refCode"] in bound.checks()["work"]["told"]
        server.person("update_task", task_id=task["pid"], status="done")
        for tools in ("plan", "build", "all"):
            ask("connect", "--project", key, "--tools", tools)
            assert bound.problems() == {}, tools
    finally:
        server.person("update_project", project_id=key, state="archived")
