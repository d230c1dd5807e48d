"""doctor --repo: each check is made to fail, and the command that it names makes it well again."""

import json
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pendesk.cli.parts.remote import Remote
from tests.cli.conftest import commit, git
from tests.cli.fixes import commands, follow
from tests.clients.running import Office, RunningServer, started


class Clinic(NamedTuple):
    repo: Path
    server: RunningServer
    ask: Callable[..., Any]
    run: Callable[..., Any]

    def findings(self) -> dict[str, dict[str, str]]:
        """What is wrong, by the check's name."""
        result = self.run("doctor", "--repo", str(self.repo), "--json")
        told = json.loads(result.stdout)
        assert (result.exit_code == 0) is told["healthy"]
        return {each["name"]: each for each in told["checks"] if each["state"] != "ok"}

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
def clinic(server: RunningServer, key: str, repo: Path, ask: Callable[..., Any], run: Callable[..., Any]) -> Clinic:
    ask("connect", "--agent", "all")
    made = Clinic(repo, server, ask, run)
    assert made.findings() == {}
    return made


def change(path: Path, **fields: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))


def revoke(clinic: Clinic) -> None:
    clinic.ask("token", "revoke", json.loads((clinic.repo / ".pendesk/local.json").read_text())["tokenId"])


def only_read(clinic: Clinic) -> None:
    made = clinic.ask("token", "create", "--name", "x", "--scope", "specs.read")["token"]
    (clinic.repo / ".pendesk/token").write_text(made)


def ends_soon(clinic: Clinic) -> None:
    made = clinic.ask("token", "create", "--name", "x", "--expires", "1d")["token"]
    (clinic.repo / ".pendesk/token").write_text(made)


def expire(clinic: Clinic) -> None:
    """The one that connect made, an hour after its end."""
    token_id = json.loads((clinic.repo / ".pendesk/local.json").read_text())["tokenId"]
    sql = "UPDATE tokens SET expires_at = :now - 3600000000 WHERE workspace_id = :workspace AND id = :id"

    async def end(office: Office) -> None:
        await office.service.dispatcher.store.write(
            office.owner.workspace_id, lambda tx: tx.run(sql, now=tx.now, id=token_id)
        )

    clinic.server.in_office(end)


def stale_skill(clinic: Clinic) -> None:
    import hashlib

    old = "<!-- pendesk skill 0 -->\n"
    (clinic.repo / ".pendesk/skill.md").write_text(old)
    change(clinic.repo / ".pendesk/config.json", skill=hashlib.sha256(old.encode()).hexdigest())


BROKEN: dict[str, tuple[Callable[[Clinic], object], str]] = {
    "no binding": (lambda clinic: clinic.run("disconnect"), "binding"),
    "a broken binding": (lambda clinic: (clinic.repo / ".pendesk/config.json").write_text("{"), "binding"),
    "a file is gone": (lambda clinic: (clinic.repo / ".mcp.json").unlink(), ".mcp.json"),
    "its entry is gone": (lambda clinic: change(clinic.repo / ".cursor/mcp.json", mcpServers={}), ".cursor/mcp.json"),
    "the block is gone": (lambda clinic: (clinic.repo / "AGENTS.md").write_text("Mine.\n"), "AGENTS.md"),
    "no codex entry": (lambda clinic: (clinic.repo / ".codex/config.toml").write_text("a = 1\n"), ".codex/config.toml"),
    "the skill is gone": (lambda clinic: (clinic.repo / ".pendesk/skill.md").unlink(), "skill"),
    "the skill is stale": (stale_skill, "skill"),
    "others can read the token": (lambda clinic: (clinic.repo / ".pendesk/token").chmod(0o644), "token file"),
    "no token": (lambda clinic: (clinic.repo / ".pendesk/token").unlink(), "token"),
    "a revoked token": (revoke, "token"),
    "an expired token": (expire, "token"),
    "another server's token": (lambda clinic: (clinic.repo / ".pendesk/token").write_text("pendesk_mcp_x"), "token"),
    "a token that only reads": (only_read, "token"),
    "a token that ends soon": (ends_soon, "token"),
    "bound to no project": (lambda clinic: change(clinic.repo / ".pendesk/config.json", project=None), "project"),
    "no such project": (lambda clinic: change(clinic.repo / ".pendesk/config.json", project="NONE"), "project"),
    "the server moved": (lambda clinic: change(clinic.repo / ".pendesk/config.json", url="http://[::1]:1"), "server"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_wrong_is_found_and_its_command_makes_it_right(clinic, case):
    spoil, name = BROKEN[case]
    spoil(clinic)
    found = clinic.findings()
    assert name in found
    clinic.follow(found[name]["fix"])
    left = clinic.findings()
    assert name not in left, left


def test_the_token_of_the_environment_comes_first_and_is_named(clinic, monkeypatch):
    monkeypatch.setenv("PENDESK_MCP_TOKEN", "pendesk_mcp_x")
    assert "unset PENDESK_MCP_TOKEN" in clinic.findings()["token"]["fix"]


def test_a_tracked_token_is_found(clinic):
    git(clinic.repo, "add", "-f", ".pendesk/token")
    commit(clinic.repo)
    found = clinic.findings()["token file"]
    clinic.follow(found["fix"])
    assert "token file" not in clinic.findings()


def test_why_a_token_is_refused_is_told_to_who_runs_the_server(clinic):
    expire(clinic)
    assert "401: it expired on" in clinic.findings()["token"]["told"]
    clinic.ask("connect")
    revoke(clinic)
    assert "401: it was revoked on" in clinic.findings()["token"]["told"]
    clinic.ask("connect")
    (clinic.repo / ".pendesk/token").write_text("pendesk_mcp_x")
    assert "not the one" in clinic.findings()["token"]["told"]


@pytest.mark.parametrize(
    ("path", "broken", "told", "corrected"),
    [
        (".mcp.json", '{"mcpServers": {},\n}', "line 2, column 1", '{"mcpServers": {}}'),
        (".cursor/mcp.json", "{", "not valid JSON", "{}"),
        (".codex/config.toml", "= nothing", "not valid TOML", "a = 1"),
    ],
)
def test_an_invalid_file_is_named_and_once_corrected_the_command_helps(clinic, path, broken, told, corrected):
    (clinic.repo / path).write_text(broken)
    found = clinic.findings()[path]
    assert told in found["told"]
    assert found["fix"].startswith("Correct it there")
    (clinic.repo / path).write_text(corrected)
    clinic.follow(found["fix"])
    assert clinic.findings() == {}


def test_a_server_that_the_user_once_refused_is_found(clinic):
    (clinic.repo / ".claude/settings.local.json").write_text('{"disabledMcpjsonServers": ["pendesk"]}')
    assert "reset-project-choices" in clinic.findings()["approval"]["fix"]


def test_a_folder_that_codex_does_not_trust_is_found(clinic):
    (Path.home() / ".codex").mkdir()
    settings = Path.home() / ".codex/config.toml"
    settings.write_text(f'[projects."{clinic.repo}"]\ntrust_level = "untrusted"\n')
    assert "trust_level" in clinic.findings()["trust"]["fix"]
    settings.write_text(f'[projects."{clinic.repo}"]\ntrust_level = "trusted"\n')
    assert clinic.findings() == {}


def test_a_clock_far_from_the_servers_is_found(clinic, monkeypatch):
    from pendesk import clock

    real = clock.now
    monkeypatch.setattr("pendesk.clock.now", lambda: real() + 3_600_000_000)
    assert "60 minutes" in clinic.findings()["clock"]["told"]


def test_a_token_is_not_sent_to_an_address_that_a_commit_brought(clinic):
    change(clinic.repo / ".pendesk/local.json", url="https://elsewhere.example.com")
    assert "was made for" in clinic.findings()["token"]["told"]


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
    clinic = Clinic(repo, server, ask, run)
    (words,) = commands(clinic.findings()["server"]["fix"])
    with started([pendesk, *words[1:], *always], data, port):
        assert clinic.findings() == {}


def test_what_others_hold_is_told_but_no_fault(clinic, key):
    bob = clinic.server.agent("Bob")
    spec = clinic.server.person("list_specs", project_id=key)["specs"][0]["pid"]
    clinic.server.person("add_participant", spec_id=spec, user_id=bob.user_id)
    Remote(clinic.server.url, bob.token).call_tool("claim_action", {"action_pid": f"{key}-3"})
    told = json.loads(clinic.run("doctor", "--repo", str(clinic.repo), "--json").stdout)["checks"]
    (claims,) = [each for each in told if each["name"] == "claims"]
    assert f"{key}-3" in claims["told"]
    assert claims["state"] == "ok"


def test_why_a_plan_is_not_seen(server, repo, ask, run):
    clinic = Clinic(repo, server, ask, run)
    made = server.person("create_project", name="Quiet")
    ask("connect", "--project", made["key"])
    found = clinic.findings()["work"]
    assert "no spec yet" in found["told"]
    clinic.follow(found["fix"])
    assert "work" not in clinic.findings()
    ask("project", "archive", "HRB")
    ask("connect", "--project", made["key"])
    bob = server.agent("Bob")
    spec = server.person("create_spec", project_id=made["key"], title="Hidden")
    found = clinic.findings()["work"]
    assert found["fix"] == f"Run: pendesk spec publish {spec['pid']}"
    plan = server.person("create_plan", spec_id=spec["pid"], title="Plan", approach="Do it.")
    action = server.person("create_action", plan_id=plan["pid"], label="Build", state="todo")
    server.person("create_criterion", action_id=action["pid"], text="It works.")
    server.person("activate_plan", plan_id=plan["pid"])
    clinic.follow(found["fix"])
    assert "work" not in clinic.findings()
    token = bob.token
    (repo / ".pendesk/token").write_text(token)
    found = clinic.findings()["work"]
    assert "takes part in no published spec" in found["told"]
    clinic.follow(found["fix"])
    assert "work" not in clinic.findings()
    server.person("update_project", project_id=made["key"], state="paused")
    found = clinic.findings()["work"]
    clinic.follow(found["fix"])
    assert "work" not in clinic.findings()
    server.person("update_project", project_id=made["key"], state="archived")


def test_a_server_of_the_same_name_further_up(clinic):
    inner = clinic.repo / "inner"
    inner.mkdir()
    clinic.ask("connect", "--repo", str(inner))
    found = Clinic(inner, *clinic[1:]).findings()
    clinic.follow(found["shadow"]["fix"])
    assert "shadow" not in Clinic(inner, *clinic[1:]).findings()


def test_a_lost_record_leaves_no_second_block_and_no_second_server(clinic):
    before = {path: (clinic.repo / path).read_bytes() for path in (".mcp.json", "AGENTS.md", ".codex/config.toml")}
    (clinic.repo / ".pendesk/config.json").unlink()
    clinic.ask("connect", "--agent", "all")
    assert {path: (clinic.repo / path).read_bytes() for path in before} == before


def test_without_a_data_folder_only_the_repository_is_looked_at(clinic, tmp_path, monkeypatch):
    monkeypatch.setenv("PENDESK_DATA", str(tmp_path / "none"))
    assert clinic.findings() == {}
