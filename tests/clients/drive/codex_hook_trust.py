"""Trust the hooks of a repository in a home folder of Codex, as its terminal's "Trust all and continue" does."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.clients.drive.common import client_env, end_group, find_client


def trust_hooks(home: Path, repo: Path) -> None:
    """Write the hash of each hook, as Codex itself computes it, into the settings of the home folder."""
    entries = [
        f"[hooks.state.{json.dumps(hook['key'])}]\ntrusted_hash = {json.dumps(hook['currentHash'])}\n"
        for hook in list_hooks(home, repo)
    ]
    with (home / ".codex" / "config.toml").open("a") as config:
        config.write("\n" + "\n".join(entries))


def list_hooks(home: Path, repo: Path) -> list[dict[str, Any]]:
    """Give the hooks of a repository that the home folder trusts, each with its hash and its `trustStatus`."""
    _trust_repository(home, repo)
    process = subprocess.Popen(
        [find_client("codex"), "app-server"],
        env=client_env(home),
        cwd=repo,
        text=True,
        start_new_session=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        _request(process, "initialize", clientInfo={"name": "tests", "version": "1"})
        [listed] = _request(process, "hooks/list", cwds=[str(repo)])["data"]
    finally:
        end_group(process)
        process.communicate()
    hooks: list[dict[str, Any]] = listed["hooks"]
    return hooks


def _trust_repository(home: Path, repo: Path) -> None:
    config = home / ".codex" / "config.toml"
    config.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = config.read_text() if config.exists() else ""
    section = f"[projects.{json.dumps(str(repo))}]"
    if section not in text:
        config.write_text(f'{text}\n{section}\ntrust_level = "trusted"\n')


def _request(process: subprocess.Popen[str], method: str, **params: Any) -> dict[str, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps({"id": method, "method": method, "params": params}) + "\n")
    process.stdin.flush()
    for line in process.stdout:
        message = json.loads(line)
        if message.get("id") == method:
            result: dict[str, Any] = message["result"]
            return result
    raise RuntimeError(f"codex app-server ended at {method}")
