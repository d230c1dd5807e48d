"""Whether a folder may be connected, and what around it would interfere."""

import json
import subprocess
from pathlib import Path

from pendesk.cli.binding.record import TOKEN

# Folders with settings for all repositories of their owner.
GLOBAL_FOLDERS = (".claude", ".codex", ".cursor", ".vscode", ".agents", ".config", ".pendesk")


def reason_not_bindable(folder: Path, home: Path) -> str | None:
    """Why a folder cannot be connected; None if it can."""
    if not folder.is_dir():
        return f"{folder} is not a folder. Name the repository with --repo."
    if ".git" in folder.parts:
        return f"{folder} belongs to git itself. Change to the repository, or name it with --repo."
    if folder == home or folder in home.parents:
        return f"{folder} holds your home folder. Change to a repository, or name it with --repo."
    if any(folder == home / name or home / name in folder.parents for name in GLOBAL_FOLDERS):
        return f"{folder} holds settings for all repositories. Change to a repository, or name it with --repo."
    return None


def find_parent_mcp_config_with_server(folder: Path, server_name: str) -> Path | None:
    """A file in a parent folder with a server of the same name, which clients may read as well."""
    for parent in folder.parents:
        try:
            config = json.loads((parent / ".mcp.json").read_text("utf-8-sig"))
            if server_name in config["mcpServers"]:
                return parent / ".mcp.json"
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return None


def reason_token_would_be_committed(folder: Path) -> str | None:
    """Why git would commit the token; None if it would not, or if this is not a repository."""
    if _git_exit_code(folder, "ls-files", "--error-unmatch", TOKEN) == 0:
        return f"git tracks {TOKEN}. Run `git rm --cached {TOKEN}`, commit that, then run this again."
    if _git_exit_code(folder, "check-ignore", "-q", TOKEN) == 1:
        return f"git would commit {TOKEN}: a .gitignore file excepts it. Remove that line, then run this again."
    return None


def _git_exit_code(folder: Path, *arguments: str) -> int | None:
    try:
        result = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, timeout=10, check=False)  # noqa: S603, S607
    except (OSError, subprocess.TimeoutExpired):
        return None
    return result.returncode
