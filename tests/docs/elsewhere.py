"""Commands of the guides that the tests of the guides do not run, each with the reason. Anything else is run."""

import re

CLIENT = "a client's own program: tests/clients/test_guides.py runs it, with the real one"
DRIVEN = "what the tests of tests/clients are made of, which have the clients"
INTERACTIVE = "starts a program that talks with a person: tests/clients plays that"
PACKAGES = "installs packages from the network, as `make install` did before; tests/test_installed.py runs the wheel"
INSTALLED = "installs packages from the network; scripts/check_install.sh does both, and runs what was installed"
MACHINE = "changes the machine itself, as its administrator"
REMOTE = "asks the place that the clone came from"
GITHUB = "tries a token at GitHub; tests/cli/commands/test_github.py runs it"
CONTAINER = "needs a container engine"
ITSELF = "runs for many minutes, and has its own command; some of them would run this test again"

# By how they begin; the longest that fits counts.
ELSEWHERE = {
    "claude mcp": CLIENT,
    "codex mcp": CLIENT,
    "claude": INTERACTIVE,
    "codex": INTERACTIVE,
    'PENDESK_MCP_TOKEN="$(cat .pendesk/token)" cursor': INTERACTIVE,
    'PENDESK_MCP_TOKEN="$(pendesk token create --name "Cursor 2")" cursor': INTERACTIVE,
    ".venv/bin/python -m tests.clients.drive": DRIVEN,
    "/opt/pendesk/bin/pip install": PACKAGES,
    "/opt/pendesk/bin/pendesk --version": PACKAGES,
    "python3 -m venv /opt/pendesk": PACKAGES,
    "pip install": PACKAGES,
    "pip wheel": PACKAGES,
    "pipx install": INSTALLED,
    "uv tool install": INSTALLED,
    "cp deploy/pendesk.service": MACHINE,
    "printf 'PENDESK_PUBLIC_URL": MACHINE,
    "systemctl": MACHINE,
    "PENDESK_DATA=/var/lib/pendesk": MACHINE,
    "git pull": REMOTE,
    "pendesk github token": GITHUB,
    "docker": CONTAINER,
    "make bench": ITSELF,
}


def reason_not_to_run(command: str) -> str | None:
    return next((ELSEWHERE[begin] for begin in beginnings(command)), None)


def beginnings(command: str) -> list[str]:
    fitting = [begin for begin in ELSEWHERE if re.match(re.escape(begin) + r"(?!\w)", command)]
    return sorted(fitting, key=len, reverse=True)
