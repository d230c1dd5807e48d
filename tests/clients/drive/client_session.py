"""Run Claude Code or Codex against an MCP server with a script in the place of the model.

The client is real and so are its MCP calls; HOME is a throw-away folder and the environment is
scrubbed. Where the server is taken from:

    --url U --token T   the client is told on its command line
    --repo DIR          DIR/.mcp.json (Claude Code) or DIR/.codex/config.toml (Codex)
    --home DIR          what an earlier run of oauth_login.py left in that home folder

The hooks of a --repo run as they do for a person: Claude Code's at once, Codex's only if they are trusted.

Prints the session as JSON lines. Exit status 0: the server answered every scripted step (a refusal
by the server is an answer); 1: some step was not executed; 2: the session could not be started.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.clients.drive.common import (
    ClientError,
    client_env,
    client_home,
    end_group,
    find_client,
    server_name,
    serving,
)
from tests.clients.drive.scripted_model import (
    CODEX_PREAMBLE,
    SHELL,
    STEP_ID,
    WRITE_FILE,
    Json,
    ModelRequest,
    ModelServer,
    Player,
    ScriptError,
    Step,
    load_script,
)

PROMPT = "Play the script."
TOKEN_VARIABLE = "PENDESK_MCP_TOKEN"


@dataclass(frozen=True)
class Setup:
    """Everything that decides how a client is started."""

    binary: str
    server: str
    home: Path
    model_url: str
    url: str | None
    repo: Path | None
    resume: str | None = None
    trusts_hooks: bool = False


@dataclass(frozen=True)
class Finished:
    """How a client's run ended."""

    status: int | None
    stdout: str
    stderr: str

    @property
    def events(self) -> list[Json]:
        """Give the client's own event stream."""
        return [json.loads(line) for line in self.stdout.splitlines() if line.startswith("{")]


# --- Claude Code ----------------------------------------------------------------------------------


def claude_command(setup: Setup) -> list[str]:
    """Build the command line for Claude Code."""
    command = [
        setup.binary,
        "-p",
        PROMPT,
        "--output-format",
        "stream-json",
        "--verbose",
        "--allowedTools",
        f"mcp__{setup.server}__*",
        "Bash",
        "Write",
        "Agent",
    ]
    if setup.resume:
        command += ["--resume", setup.resume]
    if setup.url:
        headers = {"Authorization": f"Bearer ${{{TOKEN_VARIABLE}}}"}
        servers = {setup.server: {"type": "http", "url": setup.url, "headers": headers}}
        command += ["--mcp-config", json.dumps({"mcpServers": servers}), "--strict-mcp-config"]
    elif setup.repo:
        trust_for_claude(setup.home / ".claude.json", setup.repo)
        command += ["--settings", json.dumps({"enableAllProjectMcpServers": True})]
    return command


def trust_for_claude(file: Path, repo: Path) -> None:
    """Mark a repository as trusted in the home folder, as the dialog would."""
    config = json.loads(file.read_text()) if file.exists() else {}
    config.setdefault("projects", {}).setdefault(str(repo), {})["hasTrustDialogAccepted"] = True
    file.write_text(json.dumps(config))


def claude_env(setup: Setup) -> dict[str, str]:
    """Point Claude Code at the scripted model."""
    return {"ANTHROPIC_BASE_URL": setup.model_url, "ANTHROPIC_API_KEY": "scripted"}


def claude_answers(events: list[Json], log: list[Json]) -> dict[int, bool]:
    """Tell which steps the server answered, each with whether it refused.

    Claude Code reports its own errors (unknown tool, no permission, no connection) as a plain text;
    a server's refusal comes with its other parts or, by the contract, as JSON.
    """
    parsed = {event["step"]: event["json"] for event in log if event["event"] == "result"}
    answers = {}
    for event in events:
        content = event["message"]["content"] if event.get("type") == "user" else None
        for block in content if isinstance(content, list) else []:
            if match := STEP_ID.fullmatch(block.get("tool_use_id", "")):
                step, refused = int(match[1]), bool(block.get("is_error"))
                own_error = refused and isinstance(event.get("tool_use_result"), str)
                if not own_error or parsed.get(step) is not None:
                    answers[step] = refused
    return answers


# --- Codex ----------------------------------------------------------------------------------------


def codex_command(setup: Setup) -> list[str]:
    """Build the command line for Codex."""
    quote = json.dumps  # a JSON text is a TOML text too
    server = f"mcp_servers.{setup.server}"
    overrides = [
        'model="scripted"',
        'model_provider="scripted"',
        'model_providers.scripted.name="scripted"',
        'model_providers.scripted.wire_api="responses"',
        f"model_providers.scripted.base_url={quote(setup.model_url + '/v1')}",
        'mcp_oauth_credentials_store="file"',
        f"{server}.required=true",  # else Codex does not wait until the server is connected
        "sandbox_workspace_write.network_access=true",  # a step in the shell may call the server
    ]
    if setup.url:
        overrides += [f"{server}.url={quote(setup.url)}", f"{server}.bearer_token_env_var={quote(TOKEN_VARIABLE)}"]
    elif setup.repo:
        overrides.append(f'projects={{{quote(str(setup.repo))}={{trust_level="trusted"}}}}')
    options = [word for override in overrides for word in ("-c", override)]
    if setup.trusts_hooks:
        options.append("--dangerously-bypass-hook-trust")
    resume = ["resume", setup.resume] if setup.resume else []
    return [setup.binary, "exec", "--skip-git-repo-check", "--json", *options, *resume, PROMPT]


def codex_env(setup: Setup) -> dict[str, str]:
    """Add nothing: Codex is told everything on its command line."""
    return {}


def codex_answers(events: list[Json], log: list[Json]) -> dict[int, bool]:
    """Tell which steps the server answered, each with whether it refused.

    Codex lists its MCP calls in order; one without a result never got an answer, and one that it
    did not know at all is not listed. A command in its shell was carried out if it succeeded, and so was a change of a
    file.
    """
    completed = [event["item"] for event in events if event.get("type") == "item.completed"]
    items = [item for item in completed if item.get("type") == "mcp_tool_call"]
    commands = [item for item in completed if item.get("type") == "command_execution"]
    changes = [item for item in completed if item.get("type") == "file_change"]
    calls = {event["step"]: event for event in log if event["event"] == "call"}
    answers = {}
    for step, call in sorted(calls.items()):
        if call["tool"] == SHELL and commands and commands.pop(0)["exit_code"] == 0:
            answers[step] = False
        elif call["tool"] == WRITE_FILE and changes:
            answers[step] = changes.pop(0)["status"] != "completed"
        elif items and (items[0]["tool"], items[0]["arguments"]) == (call["tool"], call["args"]):
            item = items.pop(0)
            if item["result"] is not None:
                answers[step] = item["status"] != "completed"
    return answers


# --- a session ------------------------------------------------------------------------------------

CLIENTS = {
    "claude": (claude_command, claude_env, claude_answers),
    "codex": (codex_command, codex_env, codex_answers),
}


def run_client(command: list[str], env: dict[str, str], folder: Path, timeout: float) -> Finished:
    """Run a client to its end, or end it with its children when the time is up."""
    process = subprocess.Popen(
        command,
        env=env,
        cwd=folder,
        text=True,
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        stdout, stderr = process.communicate(timeout=timeout)
        return Finished(process.returncode, stdout, stderr)
    except subprocess.TimeoutExpired:
        end_group(process)
        stdout, stderr = process.communicate()
        return Finished(None, stdout, f"{stderr}\nended after {timeout:g} s")
    finally:
        end_group(process)


def run_session(
    args: argparse.Namespace,
    steps: list[Step],
    watch: Callable[[Json], object] = lambda event: None,
    sub_agent: Player | None = None,
    requests: list[ModelRequest] | None = None,
) -> tuple[list[Json], Finished]:
    """Play the script through the client and give the judged log.

    The client waits while `watch` looks at an event: what it does then happens between two steps. `sub_agent` plays
    what a sub-agent does. `requests` gets all that the client sends to the model.
    """
    log: list[Json] = []

    def keep(event: Json) -> None:
        log.append(event)
        watch(event)

    command_for, env_for, answers_in = CLIENTS[args.client]
    binary = find_client(args.client, args.bin)
    player = Player(steps, args.server, keep, requests)
    with client_home(args.home) as home, serving(ModelServer(0, player, PROMPT, sub_agent)) as model:
        setup = Setup(binary, args.server, home, model.url, args.url, args.repo, args.resume, args.trusts_hooks)
        token = {TOKEN_VARIABLE: args.token} if args.token else {}
        env = client_env(home, {**env_for(setup), **token, **dict(args.env)})
        finished = run_client(command_for(setup), env, args.repo or home, args.timeout)
    answers = answers_in(finished.events, log)
    return [judged(event, answers) for event in log], finished


def judged(event: Json, answers: dict[int, bool]) -> Json:
    """Add to a result whether the server gave it and whether it was a refusal."""
    if event["event"] != "result":
        return event
    step = event["step"]
    return {**event, "executed": step in answers, "is_error": answers.get(step, True)}


def report(log: list[Json], finished: Finished, steps: int) -> bool:
    """Print the log and a summary, and tell whether everything was executed."""
    results = {event["step"]: event for event in log if event["event"] == "result"}
    missing = [step for step in range(1, steps + 1) if step not in results or not results[step]["executed"]]
    summary = {"event": "summary", "steps": steps, "executed": steps - len(missing), "client_exit": finished.status}
    for event in [*log, summary]:
        print(json.dumps(event))
    for step in missing:
        why = CODEX_PREAMBLE.sub("", results[step]["text"]) if step in results else "not reached"
        print(f"step {step} was not executed: {why}", file=sys.stderr)
    if not missing and finished.status == 0:
        return True
    for event in finished.events:
        if "mcp_servers" in event:
            print(f"MCP servers as the client saw them: {event['mcp_servers']}", file=sys.stderr)
    print(f"client exit {finished.status}: {finished.stderr.strip()[-2000:]}", file=sys.stderr)
    return False


def name_value(text: str) -> tuple[str, str]:
    """Split a NAME=VALUE option."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value


def folder(text: str) -> Path:
    """Check that an option names a folder."""
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is not a folder")
    return Path(text).resolve()


def parse_args() -> argparse.Namespace:
    """Read and check the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--client", choices=CLIENTS, required=True)
    parser.add_argument("--script", type=Path, required=True, help="script for scripted_model.py")
    parser.add_argument(
        "--server", type=server_name, default="pendesk", help="name of the MCP server in the client (default: pendesk)"
    )
    parser.add_argument("--url", help="MCP endpoint, such as http://127.0.0.1:3847/mcp")
    parser.add_argument("--token", help=f"bearer token, given to the client as ${TOKEN_VARIABLE}")
    parser.add_argument("--repo", type=folder, help="repository whose MCP settings are used")
    parser.add_argument("--resume", metavar="SESSION", help="continue this session, in the same --home")
    parser.add_argument("--trusts-hooks", action="store_true", help="let Codex run hooks that nobody trusted")
    parser.add_argument("--home", type=Path, help="home folder to use and keep")
    parser.add_argument(
        "--env",
        type=name_value,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="add a variable to the client's environment",
    )
    parser.add_argument("--bin", help="path of the client (default: the one on PATH)")
    parser.add_argument("--timeout", type=float, default=120, help="seconds (default: 120)")
    parser.add_argument("--raw", type=Path, help="file for the client's own output")
    args = parser.parse_args()
    if args.url and (args.repo or not args.token):
        parser.error("--url needs --token and excludes --repo")
    if not (args.url or args.repo or args.home):
        parser.error("give --url and --token, or --repo, or --home")
    return args


def main() -> int:
    """Run the command line."""
    args = parse_args()
    try:
        steps = load_script(args.script)
        log, finished = run_session(args, steps)
    except (ClientError, ScriptError, OSError) as error:
        print(f"client_session: {error}", file=sys.stderr)
        return 2
    if args.raw:
        args.raw.write_text(finished.stdout + finished.stderr)
    return 0 if report(log, finished, len(steps)) else 1


if __name__ == "__main__":
    sys.exit(main())
