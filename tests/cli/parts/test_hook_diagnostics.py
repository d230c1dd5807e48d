"""What doctor says about the hooks: are they there, are they current, does the client run them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pendesk.cli.binding.record import read_binding
from pendesk.cli.parts.codex_trust import CodexHooks, CodexUnavailable
from pendesk.cli.parts.diagnostics import Diagnostic
from pendesk.cli.parts.doctor_repo import RepoDoctorRun
from pendesk.cli.parts.hook_diagnostics import (
    diagnose_claude_hook_trust,
    diagnose_codex_hook_trust,
    diagnose_session_hooks,
)
from pendesk.settings import load
from tests.cli.binding.test_undo import BINDING, connect

CLAUDE, CODEX = ".claude/settings.local.json", ".codex/hooks.json"


@pytest.fixture
def bound(repo: Path) -> RepoDoctorRun:
    connect(repo, BINDING)
    return doctor_run(repo)


def doctor_run(repo: Path) -> RepoDoctorRun:
    run = RepoDoctorRun(repo, load(data_folder=str(repo.parent / "data"), environ={}))
    run.binding = read_binding(repo)
    return run


def files(run: RepoDoctorRun) -> dict[str, Diagnostic]:
    return {diagnostic.name: diagnostic for diagnostic in diagnose_session_hooks(run)}


def listed(**fields: Any) -> dict[str, Any]:
    return {"eventName": "stop", "server": "pendesk", "tool": "session_event", "trustStatus": "trusted", **fields}


def test_hooks_as_connect_writes_them_are_one_line_for_each_client(bound):
    assert files(bound) == {
        CLAUDE: Diagnostic(CLAUDE, "ok", "has the 8 hooks by which Claude Code reports what it does"),
        CODEX: Diagnostic(CODEX, "ok", "has the 9 hooks by which Codex reports what it does"),
    }


def change_stop(hooks: dict[str, Any]) -> None:
    hooks["Stop"][0]["hooks"][0]["timeout"] = 60


def remove_two(hooks: dict[str, Any]) -> None:
    del hooks["Stop"], hooks["SubagentStop"]


def point_elsewhere(hooks: dict[str, Any]) -> None:
    for entry in hooks["PreToolUse"]:
        entry["hooks"][0]["input"]["project"] = "OLD"


@pytest.mark.parametrize("path", [CLAUDE, CODEX])
@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (change_stop, ["hooks.Stop.[] is missing or was changed"]),
        (remove_two, ["missing or were changed: SubagentStop, Stop"]),
        (point_elsewhere, ["PreToolUse"]),
    ],
)
def test_missing_and_changed_hooks_are_named_and_connect_writes_them(
    bound, path, spoil: Callable[[dict[str, Any]], None], named
):
    settings = json.loads((bound.root / path).read_text())
    spoil(settings["hooks"])
    (bound.root / path).write_text(json.dumps(settings))
    diagnostic = files(bound)[path]
    assert diagnostic.state == "wrong"
    assert all(part in diagnostic.message for part in named)
    assert diagnostic.fix == f"Run: pendesk connect --repo {bound.root}"
    connect(bound.root, BINDING)
    assert {diagnostic.state for diagnostic in files(bound).values()} == {"ok"}


def test_a_file_that_is_gone_or_broken_is_said_once(bound):
    (bound.root / CODEX).unlink()
    (bound.root / CLAUDE).write_text("{")
    assert files(bound)[CODEX].message == "does not exist"
    assert "not valid JSON" in files(bound)[CLAUDE].message


def test_hooks_that_were_not_wanted_are_no_problem(bound):
    connect(bound.root, BINDING._replace(options=("no-hooks",)))
    run = doctor_run(bound.root)
    diagnostics = files(run)
    assert {diagnostic.state for diagnostic in diagnostics.values()} == {"ok"}
    assert "not installed" in diagnostics["Codex hooks"].message
    assert diagnostics["Claude Code hooks"].fix.endswith("--hooks")
    assert [*diagnose_codex_hook_trust(run), *diagnose_claude_hook_trust(run)] == []


@pytest.mark.parametrize(
    ("answer", "state", "message", "fix"),
    [
        (CodexHooks([listed(), listed()], []), "ok", "Codex trusts all 2", ""),
        (
            CodexHooks([listed(trustStatus="untrusted"), listed()], []),
            "wrong",
            "not trusted: Codex skips them in silence (1 of 2)",
            "Trust all and continue",
        ),
        (CodexHooks([listed(trustStatus="modified")], []), "wrong", "in silence (1 of 1)", "Trust all and continue"),
        (CodexHooks([listed(enabled=False)], []), "wrong", "disabled in Codex: stop", "/hooks"),
        (CodexHooks([], []), "ok", "until you trust it", "Start codex in"),
        (CodexHooks([listed(server="other", trustStatus="untrusted")], []), "ok", "until you trust it", "Start codex"),
        (CodexHooks([], ["failed to parse hooks.json"]), "wrong", "failed to parse hooks.json", "Correct that file."),
        (CodexUnavailable("codex is not on the PATH"), "ok", "not known: codex is not on the PATH", "Trust all"),
    ],
)
def test_the_trust_of_codex(bound, monkeypatch, answer, state, message, fix):
    def list_codex_hooks(repo_root: Path) -> CodexHooks:
        assert repo_root == bound.root
        if isinstance(answer, CodexUnavailable):
            raise answer
        return CodexHooks(*answer)

    monkeypatch.setattr("pendesk.cli.parts.hook_diagnostics.list_codex_hooks", list_codex_hooks)
    [diagnostic] = diagnose_codex_hook_trust(bound)
    assert diagnostic.state == state
    assert message in diagnostic.message
    assert fix in diagnostic.fix


def test_the_trust_of_claude_code(bound):
    [diagnostic] = diagnose_claude_hook_trust(bound)
    assert diagnostic.state == "ok"
    assert "once you trust this folder" in diagnostic.message
    config = Path.home() / ".claude.json"
    config.write_text(json.dumps({"projects": {str(bound.root): {"hasTrustDialogAccepted": True}}}))
    [diagnostic] = diagnose_claude_hook_trust(bound)
    assert diagnostic.message == "Claude Code trusts this folder and runs them"
    for file in (bound.root / ".claude/settings.json", Path.home() / ".claude/settings.json"):
        file.parent.mkdir(exist_ok=True)
        file.write_text('{"disableAllHooks": true}')
        [diagnostic] = diagnose_claude_hook_trust(bound)
        assert diagnostic.state == "wrong"
        assert str(file) in diagnostic.fix
        file.write_text("[]")
