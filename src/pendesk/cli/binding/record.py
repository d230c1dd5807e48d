"""`.pendesk/` in a repository: which server and project it is bound to, and what was written for it.

`config.json` may be committed and shared. `token` and `local.json` belong to one person and are git-ignored.
"""

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from pendesk.cli.binding.snippets import InsertedSnippet

FOLDER = ".pendesk"
CONFIG = f"{FOLDER}/config.json"
SKILL = f"{FOLDER}/skill.md"
IGNORE = f"{FOLDER}/.gitignore"
TOKEN = f"{FOLDER}/token"
LOCAL = f"{FOLDER}/local.json"
IGNORE_TEXT = "# One person's own: never to be committed.\n/token\n/local.json\n"
FORMAT = 1


class BrokenBinding(ValueError):
    """The folder exists but cannot be used."""


class Symlink(NamedTuple):
    path: str
    target: str


class RepoBinding(NamedTuple):
    url: str
    project: str | None
    agents: tuple[str, ...] = ()
    name: str = "pendesk"
    options: tuple[str, ...] = ()
    skill: str = ""  # the digest of the skill as it was written
    written: tuple[InsertedSnippet, ...] = ()
    links: tuple[Symlink, ...] = ()
    folders: tuple[str, ...] = ()

    @property
    def mcp_url(self) -> str:
        return f"{self.url}/mcp"

    def to_json(self) -> str:
        fields = {"format": FORMAT, **self._asdict()}
        fields["written"] = [_snippet_to_json(snippet) for snippet in self.written]
        fields["links"] = [link._asdict() for link in self.links]
        return json.dumps(fields, indent=2) + "\n"


def _snippet_to_json(snippet: InsertedSnippet) -> dict[str, Any]:
    defaults = InsertedSnippet._field_defaults
    return {name: value for name, value in snippet._asdict().items() if defaults.get(name, ...) != value}


def find_connected_repo(start: Path) -> Path | None:
    """The nearest connected folder, looking upward."""
    start = start.absolute()
    return next((folder for folder in (start, *start.parents) if (folder / CONFIG).is_file()), None)


def read_binding(repo_root: Path) -> RepoBinding | None:
    try:
        fields = json.loads((repo_root / CONFIG).read_text("utf-8"))
        return _binding_from_json(fields)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BrokenBinding(f"{repo_root / CONFIG} cannot be read ({error}).") from None


def _binding_from_json(fields: dict[str, Any]) -> RepoBinding:
    if fields.pop("format") != FORMAT:
        raise BrokenBinding("it was written by a newer pendesk")
    plain: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
    written = tuple(_snippet_from_json(snippet) for snippet in fields["written"])
    return RepoBinding(**{**plain, "written": written, "links": tuple(Symlink(**link) for link in fields["links"])})


def _snippet_from_json(fields: dict[str, Any]) -> InsertedSnippet:
    snippet = InsertedSnippet(**fields)
    opening, closing = snippet.comment
    return snippet._replace(keys=tuple(snippet.keys), comment=(opening, closing))


def read_local_connection_record(repo_root: Path) -> dict[str, Any]:
    """What `connect` recorded for this person: the token's id, its server, the data folder."""
    try:
        fields = json.loads((repo_root / LOCAL).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return fields if isinstance(fields, dict) else {}


def read_user_confirmed_server_url(repo_root: Path) -> str | None:
    """The server that this person connected the repository to, which a commit cannot change."""
    url = read_local_connection_record(repo_root).get("url")
    return url if isinstance(url, str) else None


def read_token_from_env_or_file(repo_root: Path | None) -> str | None:
    """The environment's, else the file's."""
    token = os.environ.get("PENDESK_MCP_TOKEN")
    if token or repo_root is None:
        return token or None
    try:
        return (repo_root / TOKEN).read_text("ascii").strip() or None
    except (OSError, UnicodeDecodeError):
        return None


def write_private_file(path: Path, text: str) -> None:
    """Readable by the owner alone from the first byte on, and written completely or not at all."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    draft.replace(path)
