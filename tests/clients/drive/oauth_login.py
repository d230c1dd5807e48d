"""Log a real client in to an MCP server by OAuth, with nobody at the keyboard.

Runs `claude mcp login NAME --no-browser` or `codex mcp login NAME` in a terminal of its own, takes
the authorization URL that the client prints, signs in and consents through the server's real pages,
and follows the redirect to the client's callback. With `-- COMMAND ...` any other program that
prints an authorization URL is driven in the same way.

Exit status 0: the client says it is logged in; 1: it is not; 2: wrong usage.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.clients.drive.common import ClientError, client_env, client_home, end_group, find_client, server_name
from tests.clients.drive.form_browser import Browser, BrowserError, Person, authorize

ESCAPES = re.compile(r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-Z\\-_]")
URL = re.compile(r"https?://[^\s\x00-\x1f]+(?=[\s\x00-\x1f])")
WIDE = struct.pack("HHHH", 50, 8000, 0, 0)  # rows, columns: a long URL must stay on one line


def authorization_urls(output: str) -> list[str]:
    """Find the authorization URLs in what a client printed."""

    def is_one(url: str) -> bool:
        query = parse_qs(urlsplit(url).query)
        return query.get("response_type") == ["code"] and "redirect_uri" in query

    return [url for url in URL.findall(output) if is_one(url)]


class Terminal:
    """A program running in a terminal of its own; leaving the context ends it."""

    def __init__(self, command: list[str], env: dict[str, str], folder: Path) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, WIDE)
        try:
            self._process = subprocess.Popen(
                command, env=env, cwd=folder, start_new_session=True, stdin=slave, stdout=slave, stderr=slave
            )
        finally:
            os.close(slave)
        self._bytes = b""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *error: object) -> None:
        end_group(self._process)
        os.close(self._master)

    @property
    def output(self) -> str:
        """Give everything that was printed so far, without escape sequences."""
        return ESCAPES.sub("", self._bytes.decode(errors="replace"))

    def read(self, seconds: float) -> bool:
        """Wait for more output, and tell whether the program may still print."""
        ready, _, _ = select.select([self._master], [], [], seconds)
        if not ready:
            return self._process.poll() is None
        try:
            piece = os.read(self._master, 65536)
        except OSError:  # how Linux says that the other end is closed
            piece = b""
        self._bytes += piece
        return bool(piece)

    def exit_status(self) -> int | None:
        """Give the exit status, or None for a program that does not end."""
        try:
            return self._process.wait(5)
        except subprocess.TimeoutExpired:
            return None


def drive(terminal: Terminal, visit: Callable[[str], object], timeout: float) -> bool:
    """Follow a program to its end, visit each authorization URL, and tell if there was one."""
    deadline = time.monotonic() + timeout
    visited: set[str] = set()
    while time.monotonic() < deadline and terminal.read(0.2):
        for url in authorization_urls(terminal.output):
            if url not in visited:  # after a refusal Codex asks once more
                visited.add(url)
                visit(url)
    return bool(visited)


# --- the clients ----------------------------------------------------------------------------------


def prepare_claude(binary: str, env: dict[str, str], home: Path, args: argparse.Namespace) -> None:
    """Add the server to Claude Code, unless the home folder has it."""
    file = home / ".claude.json"
    config = json.loads(file.read_text()) if file.exists() else {}
    if is_known(config.get("mcpServers", {}), args):
        return
    client_id = ["--client-id", args.client_id] if args.client_id else []
    options = ["--transport", "http", "--scope", "user", *client_id]
    completed = subprocess.run(
        [binary, "mcp", "add", *options, args.server, args.url],
        env=env,
        cwd=home,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    if completed.returncode:
        raise ClientError(f"claude mcp add failed: {completed.stdout}{completed.stderr}")


def prepare_codex(binary: str, env: dict[str, str], home: Path, args: argparse.Namespace) -> None:
    """Add the server to Codex's settings, unless the home folder has it."""
    file = home / ".codex" / "config.toml"
    file.parent.mkdir(mode=0o700, exist_ok=True)
    text = file.read_text() if file.exists() else 'mcp_oauth_credentials_store = "file"\n'
    if is_known(tomllib.loads(text).get("mcp_servers", {}), args):
        return
    text += f"\n[mcp_servers.{args.server}]\nurl = {json.dumps(args.url)}\n"
    if args.client_id:  # as `codex mcp add --oauth-client-id` writes it
        text += (
            f"\n[mcp_servers.{args.server}.oauth]\nclient_id = {json.dumps(args.client_id)}\n"
            'callback_url = "http://127.0.0.1/callback"\n'
        )
    file.write_text(text)


def is_known(servers: dict[str, Any], args: argparse.Namespace) -> bool:
    """Tell whether a home folder has the server, and refuse one that has it elsewhere."""
    url = servers.get(args.server, {}).get("url")
    if url not in (None, args.url):
        raise ClientError(f"{args.home} has {args.server} at {url}: use another --home")
    return url is not None


CLIENTS = {
    "claude": (prepare_claude, ["--no-browser"]),
    "codex": (prepare_codex, []),  # its --no-browser waits for a pasted URL after a refusal
}


def client_command(args: argparse.Namespace, home: Path, env: dict[str, str]) -> list[str]:
    """Add the server to the client and give the login command."""
    prepare, options = CLIENTS[args.client]
    binary = find_client(args.client, args.bin)
    prepare(binary, env, home, args)
    return [binary, "mcp", "login", args.server, *options]


def login(args: argparse.Namespace, visit: Callable[[str], object]) -> bool:
    """Run the login, print what the program said, and tell whether it succeeded."""
    with client_home(args.home) as home:
        env = client_env(home) if args.client else dict(os.environ)
        command = client_command(args, home, env) if args.client else args.command
        with Terminal(command, env, home if args.client else Path.cwd()) as terminal:
            visited = drive(terminal, visit, args.timeout)
            status = terminal.exit_status()
    print(terminal.output.strip())
    if not visited:
        print("oauth_login: no authorization URL was printed", file=sys.stderr)
    elif status is None:
        print(f"oauth_login: no end after {args.timeout:g} s", file=sys.stderr)
    return visited and status == 0


def parse_args() -> argparse.Namespace:
    """Read and check the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--client", choices=CLIENTS, help="client to log in")
    parser.add_argument("--url", help="MCP endpoint, such as http://127.0.0.1:3847/mcp")
    parser.add_argument(
        "--server", type=server_name, default="pendesk", help="name of the MCP server in the client (default: pendesk)"
    )
    parser.add_argument("--username", help="for a field named username")
    parser.add_argument("--email", help="for a field named email (default: the username)")
    parser.add_argument("--password", help="for the password field")
    parser.add_argument("--visit", metavar="URL", help="page to open first, such as a one-time sign-in link")
    parser.add_argument("--deny", action="store_true", help="refuse consent instead of giving it")
    parser.add_argument("--client-id", help="registered client id (default: the client registers itself)")
    parser.add_argument("--home", type=Path, help="home folder to use and keep, for client_session.py --home")
    parser.add_argument("--bin", help="path of the client (default: the one on PATH)")
    parser.add_argument("--timeout", type=float, default=60, help="seconds (default: 60)")
    parser.add_argument("--trace", action="store_true", help="print each step of the browser")
    parser.add_argument("command", nargs="*", help="after --: another program to drive")
    args = parser.parse_args()
    if bool(args.client) == bool(args.command) or bool(args.client) != bool(args.url):
        parser.error("give --client with --url, or -- and a command")
    return args


def main() -> int:
    """Run the command line."""
    args = parse_args()
    browser = Browser(lambda line: print(line, file=sys.stderr) if args.trace else None)
    person = Person(args.username, args.email, args.password, approves=not args.deny)
    try:
        if args.visit:
            browser.open(args.visit)
        return 0 if login(args, lambda url: authorize(browser, url, person)) else 1
    except (BrowserError, ClientError, OSError) as error:
        print(f"oauth_login: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
