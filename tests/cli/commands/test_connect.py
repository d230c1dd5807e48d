"""connect, disconnect, headers: a repository bound to a running server and set free again."""

import json
import os
import pty
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pendesk.cli.parts.target_server import find_server_access_token
from pendesk.domain.access import TOOL_SETS, find_tool_set
from tests.cli.conftest import commit, git
from tests.clients.running import running
from tests.mistyped import mistyped


def test_a_repository_is_connected_and_clean_again_after_disconnect(server, repo, ask, run):
    result = ask("connect", "--agent", "all", "--hooks")
    assert (result["project"], result["tools"]) == ("HAR", 13)
    assert set(result["written"]) >= {".mcp.json", ".codex/config.toml", ".cursor/mcp.json", ".vscode/mcp.json"}
    assert json.loads((repo / ".mcp.json").read_text())["mcpServers"]["pendesk"]["url"] == server.mcp
    assert stat.S_IMODE((repo / ".pendesk/token").stat().st_mode) == 0o600
    disconnected = ask("disconnect", "--revoke")
    assert disconnected["tokenRevoked"] is True
    assert git(repo, "status", "--porcelain", "--ignored") == ""


def test_git_never_takes_the_token(server, repo, ask):
    ask("connect")
    token = (repo / ".pendesk/token").read_text().strip()
    commit(repo)
    assert ".pendesk/config.json" in git(repo, "ls-files")
    assert ".pendesk/token" not in git(repo, "ls-files")
    assert token not in git(repo, "grep", "-h", "", "HEAD")


def test_a_token_that_git_tracks_or_would_take_is_never_written(server, repo, run):
    (repo / ".pendesk").mkdir()
    (repo / ".pendesk/token").write_text("old\n")
    commit(repo)
    refused = run("connect")
    assert refused.exit_code == 1
    assert "git rm --cached" in refused.stderr
    assert (repo / ".pendesk/token").read_text() == "old\n"
    assert not (repo / ".mcp.json").exists()


def test_an_ignore_file_that_excepts_the_token_is_named_and_nothing_is_left(server, repo, run, ask):
    (repo / ".pendesk").mkdir()
    (repo / ".pendesk/.gitignore").write_text("!token\n")
    tokens = len(ask("token", "list")["tokens"])
    refused = run("connect")
    assert refused.exit_code == 1
    assert ".pendesk/.gitignore" in refused.stderr
    assert [path.name for path in (repo / ".pendesk").iterdir()] == [".gitignore"]
    assert len(ask("token", "list")["tokens"]) == tokens


def test_a_file_that_cannot_be_written_makes_no_token(server, repo, run, ask):
    (repo / ".mcp.json").write_text("{,}")
    tokens = len(ask("token", "list")["tokens"])
    assert "line 1" in run("connect").stderr
    assert len(ask("token", "list")["tokens"]) == tokens
    assert not (repo / ".pendesk").exists()


def test_a_server_that_only_the_repository_names_gets_no_token(server, repo, run, ask, monkeypatch):
    ask("connect")
    config = json.loads((repo / ".pendesk/config.json").read_text())
    (repo / ".pendesk/config.json").write_text(json.dumps({**config, "url": "https://evil.test"}))
    monkeypatch.setenv("PENDESK_MCP_TOKEN", (repo / ".pendesk/token").read_text().strip())
    refused = run("connect")
    assert refused.exit_code == 1
    assert "--url https://evil.test" in refused.stderr
    assert find_server_access_token(repo, "https://evil.test") is None
    assert find_server_access_token(repo, server.url) is not None
    assert "no token" in run("work", "list_available_specs").stderr
    assert "no token" in run("context").stdout


def test_what_headers_refuses_the_helper_does_not_give(server, repo, ask, tmp_path):
    ask("connect")
    helper = json.loads((repo / ".mcp.json").read_text())["mcpServers"]["pendesk"]["headersHelper"]
    environ = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "HOME": str(tmp_path),
        "CLAUDE_CODE_MCP_SERVER_URL": "https://evil.test/mcp",
    }
    completed = subprocess.run(["sh", "-c", helper], cwd=repo, env=environ, capture_output=True, text=True, check=False)
    assert completed.returncode != 0
    assert completed.stdout == ""


def test_a_record_that_names_files_outside_removes_none(server, repo, run, ask, tmp_path):
    ask("connect")
    victim, folder = tmp_path / "victim", tmp_path / "empty"
    victim.write_text("precious")
    folder.mkdir()
    config = json.loads((repo / ".pendesk/config.json").read_text())
    evil: list[dict[str, object]] = [
        {"links": [{"path": "../victim", "target": "victim"}]},
        {"links": [{"path": "../victim", "target": ".pendesk/skill.md"}]},
        {"folders": ["../empty", str(folder)]},
        {"written": [{"path": "../victim", "kind": "block", "piece": "precious", "made": True, "comment": ["#", ""]}]},
    ]
    for change in evil:
        (repo / ".pendesk").mkdir(exist_ok=True)
        (repo / ".pendesk/config.json").write_text(json.dumps({**config, **change}))
        run("disconnect")
        assert victim.read_text() == "precious"
        assert folder.is_dir()


def test_connecting_again_changes_nothing_and_makes_no_second_token(server, repo, ask):
    ask("connect")
    before = {path: path.read_bytes() for path in repo.rglob("*") if path.is_file() and ".git" not in path.parts}
    tokens = len(ask("token", "list")["tokens"])
    assert ask("connect")["written"] != []
    assert {path: path.read_bytes() for path in before} == before
    assert len(ask("token", "list")["tokens"]) == tokens


def test_an_agent_is_added_to_those_from_before(server, repo, ask):
    assert ask("connect", "--agent", "claude")["agents"] == ["claude"]
    assert ask("connect", "--agent", "codex")["agents"] == ["claude", "codex"]
    assert (repo / ".mcp.json").exists()
    assert ask("connect")["agents"] == ["claude", "codex"]


def test_a_server_on_another_port_keeps_the_token(server, repo, ask):
    ask("connect")
    token = (repo / ".pendesk/token").read_text()
    for name in ("config.json", "local.json"):
        result = json.loads((repo / ".pendesk" / name).read_text())
        (repo / ".pendesk" / name).write_text(json.dumps({**result, "url": "http://127.0.0.1:1"}))
    assert ask("connect")["url"] == server.url
    assert (repo / ".pendesk/token").read_text() == token
    assert json.loads((repo / ".mcp.json").read_text())["mcpServers"]["pendesk"]["url"] == server.mcp


def test_a_revoked_token_is_replaced(server, repo, ask, run):
    ask("connect")
    first = (repo / ".pendesk/token").read_text()
    local = json.loads((repo / ".pendesk/local.json").read_text())
    ask("token", "revoke", local["tokenId"])
    ask("connect")
    assert (repo / ".pendesk/token").read_text() != first


def test_print_writes_nothing_and_shows_no_token(server, repo, run, ask):
    tokens = len(ask("token", "list")["tokens"])
    result = run("connect", "--print", "--agent", "all")
    assert result.exit_code == 0
    assert "+++ .mcp.json" in result.stdout
    assert "pendesk_mcp_" not in result.stdout
    assert git(repo, "status", "--porcelain") == ""
    assert len(ask("token", "list")["tokens"]) == tokens
    ask("connect")
    assert "pendesk_mcp_" not in run("connect", "--print").stdout


def test_a_token_from_stdin_or_the_environment(server, repo, ask, run, monkeypatch):
    token = ask("token", "create", "--name", "x")["token"]
    ask("connect", "--token-stdin", stdin=token + "\n")
    assert (repo / ".pendesk/token").read_text().strip() == token
    assert json.loads((repo / ".pendesk/local.json").read_text())["tokenId"] is None
    assert run("connect", "--token-stdin", stdin="hello").exit_code == 1
    monkeypatch.setenv("PENDESK_MCP_TOKEN", mistyped(token))
    assert "not a Pendesk token" in run("connect").stderr


@pytest.mark.parametrize("where", ["home", "above", "git", "global", "nowhere"])
def test_folders_that_are_no_repository_are_refused(server, repo, run, where):
    home = Path.home()
    place = {
        "home": home,
        "above": home.parent,
        "git": repo / ".git",
        "global": home / ".claude",
        "nowhere": repo / "none",
    }[where]
    if where == "global":
        place.mkdir()
    refused = run("connect", "--repo", str(place))
    assert refused.exit_code == 1
    assert "--repo" in refused.stderr
    assert not (place / ".pendesk").exists()


def test_of_several_projects_one_must_be_named(server, repo, run, ask):
    second = server.person("create_project", name="Lighthouse")
    try:
        refused = run("connect")
        assert refused.exit_code == 1
        assert "--project" in refused.stderr
        assert second["key"] in refused.stderr
        assert ask("connect", "--project", second["key"].lower())["project"] == second["key"]
        assert ask("connect")["project"] == second["key"]
        wrong = run("connect", "--project", "NOPE")
        assert wrong.exit_code == 1
        assert second["key"] in wrong.stderr
    finally:
        server.person("update_project", project_id=second["pid"], state="archived")


def test_no_server_is_explained(repo, run, monkeypatch):
    assert "pendesk serve" in run("connect").stderr
    refused = run("connect", "--url", "http://127.0.0.1:1/mcp")
    assert refused.exit_code == 1
    assert "does not answer" in refused.stderr
    assert "not the URL of a server" in run("connect", "--url", "ftp://x").stderr
    assert not (repo / ".pendesk").exists()


def test_a_server_of_the_same_name_further_up_is_named(server, repo, run, tmp_path):
    (tmp_path / ".mcp.json").write_text('{"mcpServers": {"pendesk": {}}}')
    result = run("connect")
    assert result.exit_code == 0
    assert str(tmp_path / ".mcp.json") in result.stderr


def test_disconnect_without_a_binding(repo, run):
    refused = run("disconnect")
    assert refused.exit_code == 1
    assert "not connected" in refused.stderr


def test_headers_are_found_from_a_folder_below_and_only_for_the_agreed_server(server, repo, run, ask, monkeypatch):
    assert "pendesk connect" in run("headers").stderr
    ask("connect")
    token = (repo / ".pendesk/token").read_text().strip()
    (repo / "src").mkdir()
    monkeypatch.chdir(repo / "src")
    assert json.loads(run("headers").stdout)["Authorization"] == f"Bearer {token}"
    monkeypatch.setenv("CLAUDE_CODE_MCP_SERVER_URL", server.mcp)
    assert run("headers").exit_code == 0
    monkeypatch.setenv("CLAUDE_CODE_MCP_SERVER_URL", "https://evil.test/mcp")
    assert run("headers").stdout == ""
    monkeypatch.delenv("CLAUDE_CODE_MCP_SERVER_URL")
    config = json.loads((repo / ".pendesk/config.json").read_text())
    (repo / ".pendesk/config.json").write_text(json.dumps({**config, "url": "https://evil.test"}))
    refused = run("headers")
    assert refused.exit_code == 1
    assert token not in refused.stdout + refused.stderr


# What makes a start slow and is of no use to a command that an agent runs with every connection.
HEAVY = ("cryptography", "prometheus_client", "starlette", "uvicorn", "httptools", "apsw", "pendesk.operations")


@pytest.mark.parametrize("command", ["--version", "headers"])
def test_a_command_that_runs_often_imports_little(server, repo, ask, command):
    ask("connect")
    program = [sys.executable, "-X", "importtime", "-m", "pendesk", command]
    done = subprocess.run(program, cwd=repo, capture_output=True, text=True, check=True)
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "pendesk.cli" in imported
    assert [name for name in sorted(imported) if name.startswith(HEAVY)] == []


@pytest.mark.parametrize("bound", [".", "part"], ids=["the repository", "a part of it"])
@pytest.mark.parametrize("with_pendesk", [True, False], ids=["with pendesk", "without"])
def test_the_helper_gives_the_headers_with_and_without_pendesk_on_the_path(
    server, repo, ask, tmp_path, with_pendesk, bound
):
    (repo / "src").mkdir()
    (repo / "part").mkdir()
    ask("connect", "--repo", bound)
    helper = json.loads((repo / bound / ".mcp.json").read_text())["mcpServers"]["pendesk"]["headersHelper"]
    folder = repo / ("src" if bound == "." else bound)
    result = [Path(path).parent for name in ("git", "cat", "printenv") if (path := shutil.which(name))]
    if with_pendesk:
        result.insert(0, Path(sys.executable).parent)
    environ = {"PATH": os.pathsep.join(map(str, result)), "HOME": str(tmp_path)}
    completed = subprocess.run(
        ["sh", "-c", helper], cwd=folder, env=environ, capture_output=True, text=True, check=True
    )
    token = (repo / bound / ".pendesk/token").read_text().strip()
    assert json.loads(completed.stdout)["Authorization"] == f"Bearer {token}"


def test_a_broken_binding_is_explained(server, repo, run, ask):
    ask("connect")
    (repo / ".pendesk/config.json").write_text("{")
    for command in ("connect", "disconnect"):
        refused = run(command)
        assert refused.exit_code == 1
        assert "config.json" in refused.stderr


def typed(command: list[str], folder: Path, *answers: tuple[str, str]) -> tuple[int, str]:
    """A command on a terminal of its own, where each question gets its answer."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
    os.close(theirs)
    output, remaining = "", list(answers)
    while True:
        try:
            chunk = os.read(ours, 4096).decode()
        except OSError:  # the other side has closed
            break
        output += chunk
        if remaining and remaining[0][0] in output:
            os.write(ours, f"{remaining.pop(0)[1]}\n".encode())
    os.close(ours)
    return process.wait(), output


def test_on_a_terminal_it_asks(server, repo, ask):
    second = server.person("create_project", name="Pier")
    pendesk = str(Path(sys.executable).with_name("pendesk"))
    try:
        code, output = typed(
            [pendesk, "connect"], repo, ("Project of this repository", second["key"]), ("Tools", "all")
        )
        assert code == 0, output
        assert f"project {second['key']}" in output
        assert "Both: build and plan" in output
        token_id = json.loads((repo / ".pendesk/local.json").read_text())["tokenId"]
        scopes = {token["tokenId"]: token["scopes"] for token in ask("token", "list")["tokens"]}
        assert find_tool_set(scopes[token_id]) == TOOL_SETS["all"]
        code, output = typed([pendesk, "disconnect"], repo, ("Revoke its token", "y"))
        assert code == 0, output
        states = {token["tokenId"]: token["state"] for token in ask("token", "list")["tokens"]}
        assert states[token_id] == "revoked"
    finally:
        server.person("update_project", project_id=second["pid"], state="archived")


def test_hooks_are_installed_and_can_be_removed_alone(server, repo, ask, run):
    settings = repo / ".claude/settings.local.json"
    ask("connect", "--agent", "claude")
    assert "pendesk context" in settings.read_text()
    ask("connect", "--unattended")
    assert set(json.loads(settings.read_text())) == {"hooks", "enabledMcpjsonServers"}
    ask("connect", "--no-hooks")
    assert set(json.loads(settings.read_text())) == {"enabledMcpjsonServers"}
    ask("connect", "--attended")
    assert not settings.exists()
    ask("connect", "--hooks")
    assert set(json.loads(settings.read_text())) == {"hooks"}
    ask("disconnect", "--revoke")
    assert git(repo, "status", "--porcelain", "--ignored") == ""


def test_hooks_report_sessions_of_both_clients_and_go_with_the_choice(server, repo, ask, run):
    codex, claude = repo / ".codex/hooks.json", repo / ".claude/settings.local.json"
    preview = run("connect", "--agent", "claude", "--agent", "codex", "--name", "desk", "--print").stdout
    for file in (codex, claude):
        diff = preview.split(f"+++ {file.relative_to(repo)}\n")[1].split("\n--- ")[0]
        assert diff.count('"tool": "session_event"') == (9 if file == codex else 8)
    assert not codex.exists()
    result = ask("connect", "--agent", "claude", "--agent", "codex", "--agent", "cursor", "--name", "desk")
    assert result["hooks"] == ["claude", "codex"]
    assert {".codex/hooks.json", ".claude/settings.local.json"} <= set(result["written"])
    for file in (codex, claude):
        [stop] = json.loads(file.read_text())["hooks"]["Stop"][0]["hooks"]
        assert (stop["server"], stop["input"]["project"]) == ("desk", result["project"])
    assert "Trust all and continue" in run("connect").stdout
    before = codex.read_bytes(), claude.read_bytes()
    ask("connect")
    assert (codex.read_bytes(), claude.read_bytes()) == before
    assert ask("connect", "--no-hooks")["hooks"] == []
    assert not codex.exists()
    assert not claude.exists()
    assert "Trust all and continue" not in run("connect").stdout
    ask("disconnect", "--revoke")
    assert git(repo, "status", "--porcelain", "--ignored") == ""


def test_disconnect_leaves_the_hooks_of_others(server, repo, ask):
    settings = repo / ".claude/settings.local.json"
    own = {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "pendesk context | tee log"}]}]}}
    settings.parent.mkdir()
    settings.write_text(json.dumps(own, indent=4))
    before = settings.read_bytes()
    ask("connect", "--agent", "claude")
    assert len(json.loads(settings.read_text())["hooks"]["SessionStart"]) == 2
    ask("disconnect", "--revoke")
    assert settings.read_bytes() == before


@pytest.mark.parametrize("recorded", [[], ["hooks"]], ids=["without the choice", "with hooks chosen"])
def test_a_repository_connected_by_an_older_pendesk_gets_the_hook(server, repo, ask, recorded):
    ask("connect", "--agent", "claude", "--no-hooks")
    config = json.loads((repo / ".pendesk/config.json").read_text())
    (repo / ".pendesk/config.json").write_text(json.dumps({**config, "options": recorded}))
    ask("connect")
    assert "pendesk context" in (repo / ".claude/settings.local.json").read_text()
    assert json.loads((repo / ".pendesk/config.json").read_text())["options"] == []


def test_a_token_of_the_server_before_is_not_sent_to_the_one_that_a_login_is_for(server, repo, ask, tmp_path, data):
    ask("connect")
    first = (repo / ".pendesk/token").read_text()
    with running(tmp_path / "elsewhere") as elsewhere:
        elsewhere.person("create_project", name="Lighthouse")
        token = elsewhere.person("create_token", name="x")["token"]
        ask("login", "--url", elsewhere.url, "--with-token", stdin=token)
        ask("connect", "--url", elsewhere.url)
        assert not (repo / ".pendesk/token").exists()
        assert find_server_access_token(repo, elsewhere.url) == token != first.strip()
        assert ask("whoami")["url"] == elsewhere.url


@pytest.fixture
def projects(server):
    """One with a published spec, one of tasks alone, one with nothing."""
    published = server.work().actions[0]["refCode"].split("-")[0]
    tasks, empty = (server.person("create_project", name=name)["key"] for name in ("Tasks alone", "Nothing yet"))
    server.person("create_task", project_id=tasks, label="Measure")
    yield {"published": published, "tasks": tasks, "empty": empty}
    for key in (published, tasks, empty):
        server.person("update_project", project_id=key, state="archived")


def test_without_a_terminal_the_tools_follow_from_what_the_project_has(server, repo, ask, projects):
    proposed = {}
    for name, key in projects.items():
        proposed[name] = ask("connect", "--project", key)["toolSet"]
        ask("disconnect", "--revoke")
    assert proposed == {"published": "build", "tasks": "plan", "empty": "build"}


def test_another_choice_of_tools_replaces_the_token_and_says_so(server, repo, ask, run, projects):
    first = ask("connect", "--project", projects["tasks"])
    token_id = json.loads((repo / ".pendesk/local.json").read_text())["tokenId"]
    again = run("connect")
    assert "Plan: plan projects" in again.stdout
    assert "pendesk connect --tools build|all" in again.stdout
    assert json.loads((repo / ".pendesk/local.json").read_text())["tokenId"] == token_id
    changed = run("connect", "--tools", "all")
    assert "the token was for plan; a new one has replaced it" in changed.stdout
    assert "Both: build and plan" in changed.stdout
    tokens = {token["tokenId"]: token for token in ask("token", "list")["tokens"]}
    assert tokens[token_id]["state"] == "revoked"
    new = tokens[json.loads((repo / ".pendesk/local.json").read_text())["tokenId"]]
    assert (new["state"], set(new["scopes"])) == ("active", set(TOOL_SETS["all"].scopes))
    assert first["tools"] < ask("connect")["tools"]


def test_a_token_of_ones_own_is_not_changed_by_the_option(server, repo, run, ask, projects):
    token = server.person("create_token", name="mine", tools="plan")["token"]
    refused = run("connect", "--project", projects["tasks"], "--tools", "build", "--token-stdin", stdin=token)
    assert refused.exit_code == 1
    assert "is for plan, not for build" in refused.stderr
    assert not (repo / ".pendesk").exists()
    assert ask("connect", "--project", projects["tasks"], "--token-stdin", stdin=token)["toolSet"] == "plan"


def test_quiet_prints_nothing(server, repo, run, projects):
    for arguments in (["connect", "--project", projects["tasks"]], ["connect"], ["disconnect", "--revoke"]):
        result = run(*arguments, "-q")
        assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    refused = run("connect", "-q", "--project", "NONE")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "NONE" in refused.stderr
