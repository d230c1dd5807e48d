"""Claude Code with a person at the keyboard: several prompts one after the other, in one process."""

import json
import subprocess
from pathlib import Path

from tests.clients.drive.client_session import PROMPT, Setup, claude_command, claude_env
from tests.clients.drive.common import client_env, client_home, end_group, find_client, serving
from tests.clients.drive.scripted_model import Json, ModelServer, Player, Step


def run_conversation(repo: Path, home_folder: Path, prompts: list[str], steps: list[Step]) -> tuple[list[Json], str]:
    """What the server answered to each step, and the session at the end. After `/clear` the script begins anew."""
    log: list[Json] = []
    player = Player(steps, "pendesk", log.append)
    with client_home(home_folder) as home, serving(ModelServer(0, player)) as model:
        setup = Setup(find_client("claude"), "pendesk", home, model.url, None, repo)
        command = [word for word in claude_command(setup) if word != PROMPT] + ["--input-format", "stream-json"]
        process = subprocess.Popen(
            command,
            env=client_env(home, claude_env(setup)),
            cwd=repo,
            text=True,
            start_new_session=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        try:
            session = [_say(process, prompt) for prompt in prompts][-1]
            process.communicate(timeout=30)
        finally:
            end_group(process)
    return [event["json"] for event in log if event["event"] == "result"], session


def _say(process: "subprocess.Popen[str]", prompt: str) -> str:
    """Give a prompt, wait until it is done with, and give the session that it ended in."""
    assert process.stdin is not None
    assert process.stdout is not None
    message = {"role": "user", "content": [{"type": "text", "text": prompt}]}
    process.stdin.write(json.dumps({"type": "user", "message": message}) + "\n")
    process.stdin.flush()
    for line in process.stdout:
        event: Json = json.loads(line)
        if event["type"] == "result":
            return str(event["session_id"])
    raise RuntimeError(f"Claude Code ended at {prompt!r}")
