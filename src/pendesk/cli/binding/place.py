"""Where a binding may be made, and what around it would get in its way."""

import json
import subprocess
from pathlib import Path

from pendesk.cli.binding.record import TOKEN

# Folders whose files count for everything that their owner does.
GLOBAL = (".claude", ".codex", ".cursor", ".vscode", ".agents", ".config", ".pendesk")


def unfit(folder: Path, home: Path) -> str | None:
    """Why a folder cannot be bound; None if it can."""
    if not folder.is_dir():
        return f"{folder} is no folder. Give the repository with --repo."
    if ".git" in folder.parts:
        return f"{folder} belongs to git itself. Go to the repository, or give it with --repo."
    if folder == home or folder in home.parents:
        return f"{folder} holds everything of yours, not one repository. Go to a repository, or give it with --repo."
    if any(folder == home / name or home / name in folder.parents for name in GLOBAL):
        return f"{folder} is a folder of settings for all repositories. Go to one of them, or give it with --repo."
    return None


def shadowing(folder: Path, name: str) -> Path | None:
    """A file further up that names a server of the same name, which clients may read as well."""
    for parent in folder.parents:
        try:
            told = json.loads((parent / ".mcp.json").read_text("utf-8-sig"))
            if name in told["mcpServers"]:
                return parent / ".mcp.json"
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return None


def token_would_be_taken(folder: Path) -> str | None:
    """Why git would take the token with the next commit; None if it would not, or if this is no repository."""
    if _git(folder, "ls-files", "--error-unmatch", TOKEN) == 0:
        return f"git tracks {TOKEN}. Run `git rm --cached {TOKEN}`, commit that, then run this again."
    if _git(folder, "check-ignore", "-q", TOKEN) == 1:
        return f"git would take {TOKEN}: some .gitignore excepts it. Remove that line, then run this again."
    return None


def _git(folder: Path, *arguments: str) -> int | None:
    try:
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, timeout=10, check=False)  # noqa: S603, S607
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.returncode
