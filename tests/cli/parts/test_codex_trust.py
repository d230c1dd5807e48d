"""Codex is asked for its hooks, within a time limit; whatever it is and does, doctor goes on."""

import json
import sys
from pathlib import Path

import pytest

from pendesk.cli.parts.codex_trust import CodexUnavailable, list_codex_hooks

HOOK = {"eventName": "stop", "server": "pendesk", "tool": "session_event", "enabled": True, "trustStatus": "untrusted"}
LISTED = {"id": 2, "result": {"data": [{"cwd": "/x", "hooks": [HOOK], "warnings": ["w"], "errors": []}]}}


def install_codex(folder: Path, monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """A stand-in for the program: the real one is not on every machine. It speaks as version 0.166.0 does."""
    path = folder / "bin" / "codex"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!{sys.executable}\nimport json, sys, time\n{program}\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", str(path.parent))


def answering(*answers: object) -> str:
    """It notes what it is sent, and ends without an answer when its stdin does, as the real one."""
    lines = [json.dumps(answer) for answer in answers]
    return (
        "received = [sys.stdin.readline() for _ in range(3)]\n"
        "open(__file__ + '.log', 'w').write(json.dumps([sys.argv[1:], *map(json.loads, received)]))\n"
        f"print({chr(10).join(lines)!r}, flush=True)\n"
        "sys.stdin.read()"
    )


def test_the_hooks_are_those_that_codex_lists(tmp_path, monkeypatch):
    install_codex(tmp_path, monkeypatch, answering({"id": 1, "result": {}}, {"method": "remoteControl/x"}, LISTED))
    listed = list_codex_hooks(tmp_path)
    assert listed.hooks == [HOOK]
    assert listed.warnings == ["w"]
    arguments, *messages = json.loads((tmp_path / "bin/codex.log").read_text())
    assert arguments == ["app-server"]
    assert [message["method"] for message in messages] == ["initialize", "initialized", "hooks/list"]
    assert messages[2]["params"] == {"cwds": [str(tmp_path)]}


@pytest.mark.parametrize(
    "program",
    [
        "sys.stdin.read()",
        "pass",
        "print('not json', flush=True)\nsys.stdin.read()",
        answering({"id": 2, "error": {"code": -32601, "message": "unknown method"}}),
        answering({"id": 2, "result": {"data": []}}),
        answering([1]),
    ],
    ids=["silent", "ends", "no json", "older", "no folder", "another shape"],
)
def test_one_that_does_not_answer_is_said_to(tmp_path, monkeypatch, program):
    install_codex(tmp_path, monkeypatch, program)
    with pytest.raises(CodexUnavailable, match="did not list its hooks"):
        list_codex_hooks(tmp_path, deadline_s=0.5)


def test_one_that_is_not_there_or_does_not_start(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CodexUnavailable, match="not on the PATH"):
        list_codex_hooks(tmp_path)
    (tmp_path / "codex").write_bytes(b"\x7fELF")
    (tmp_path / "codex").chmod(0o755)
    with pytest.raises(CodexUnavailable, match="does not start"):
        list_codex_hooks(tmp_path)
