"""Which hooks of a repository Codex trusts, as Codex itself says. It skips the others without a word."""

import contextlib
import json
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any, NamedTuple

DEADLINE_S = 5.0
_LIST_HOOKS = 2


class CodexHooks(NamedTuple):
    """`hooks` is empty in a folder that is not trusted; `warnings` say which files could not be read."""

    hooks: list[dict[str, Any]]
    warnings: list[str]


class CodexUnavailable(Exception):
    """Codex could not be asked; the message says why."""


def list_codex_hooks(repo_root: Path, deadline_s: float = DEADLINE_S) -> CodexHooks:
    program = shutil.which("codex")
    if program is None:
        raise CodexUnavailable("codex is not on the PATH")
    try:
        process = subprocess.Popen(  # noqa: S603
            [program, "app-server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=repo_root,
            text=True,
        )
    except OSError as error:
        raise CodexUnavailable(f"{program} does not start: {error}") from None
    answers: list[CodexHooks] = []
    # A thread, as Windows cannot wait for a pipe. Codex answers nothing once stdin is closed, and then ends.
    exchange = threading.Thread(target=_exchange_messages, args=(process, repo_root, answers), daemon=True)
    exchange.start()
    exchange.join(deadline_s)
    _end_process(process)
    exchange.join(1)
    if not answers:
        raise CodexUnavailable(f"{program} did not list its hooks within {deadline_s:g} s; it may be an older one")
    return answers[0]


def _end_process(process: subprocess.Popen[str]) -> None:
    """What is killed may be a launcher only; the program that it launched ends with its stdin."""
    with contextlib.suppress(OSError):
        process.stdin.close()  # type: ignore[union-attr]
    process.kill()
    process.wait()


def _exchange_messages(process: subprocess.Popen[str], repo_root: Path, answers: list[CodexHooks]) -> None:
    client = {"name": "pendesk", "title": "pendesk doctor", "version": "1"}
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"clientInfo": client}},
        {"method": "initialized"},
        {"id": _LIST_HOOKS, "method": "hooks/list", "params": {"cwds": [str(repo_root)]}},
    ]
    stdin, stdout = process.stdin, process.stdout
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError), stdout:  # type: ignore[union-attr]
        stdin.writelines(json.dumps(message) + "\n" for message in messages)  # type: ignore[union-attr]
        stdin.flush()  # type: ignore[union-attr]
        for line in stdout:  # type: ignore[union-attr]
            answer = json.loads(line)
            if answer.get("id") == _LIST_HOOKS:
                [folder] = answer["result"]["data"]
                answers.append(CodexHooks(folder["hooks"], folder["warnings"]))
                return
