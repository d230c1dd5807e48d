"""`.pendesk/` in a repository: which server and project it is bound to, and what was written for that.

`config.json` may be committed and shared. `token` and `local.json` are one person's and git-ignored.
"""

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from pendesk.cli.binding.parts import Written

FOLDER = ".pendesk"
CONFIG = f"{FOLDER}/config.json"
SKILL = f"{FOLDER}/skill.md"
IGNORE = f"{FOLDER}/.gitignore"
TOKEN = f"{FOLDER}/token"
LOCAL = f"{FOLDER}/local.json"
IGNORED = "# One person's own: never to be committed.\n/token\n/local.json\n"
FORMAT = 1


class BrokenBinding(ValueError):
    """The folder is there but cannot be used."""


class Link(NamedTuple):
    path: str
    target: str


class Binding(NamedTuple):
    url: str
    project: str | None
    agents: tuple[str, ...] = ()
    name: str = "pendesk"
    options: tuple[str, ...] = ()
    skill: str = ""  # the digest of the skill as it was written
    written: tuple[Written, ...] = ()
    links: tuple[Link, ...] = ()
    folders: tuple[str, ...] = ()

    @property
    def mcp(self) -> str:
        return f"{self.url}/mcp"

    def as_text(self) -> str:
        told = {"format": FORMAT, **self._asdict()}
        told["written"] = [_without_defaults(each) for each in self.written]
        told["links"] = [each._asdict() for each in self.links]
        return json.dumps(told, indent=2) + "\n"


def _without_defaults(written: Written) -> dict[str, Any]:
    defaults = Written._field_defaults
    return {name: value for name, value in written._asdict().items() if defaults.get(name, ...) != value}


def find_root(start: Path) -> Path | None:
    """The nearest bound folder, looking upward."""
    here = start.absolute()
    return next((folder for folder in (here, *here.parents) if (folder / CONFIG).is_file()), None)


def read_binding(root: Path) -> Binding | None:
    try:
        told = json.loads((root / CONFIG).read_text("utf-8"))
        return _from_json(told)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BrokenBinding(f"{root / CONFIG} cannot be read ({error}).") from None


def _from_json(told: dict[str, Any]) -> Binding:
    if told.pop("format") != FORMAT:
        raise BrokenBinding("it was written by a newer pendesk")
    plain: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in told.items()}
    written = tuple(_written(each) for each in told["written"])
    return Binding(**{**plain, "written": written, "links": tuple(Link(**each) for each in told["links"])})


def _written(told: dict[str, Any]) -> Written:
    read = Written(**told)
    opening, closing = read.comment
    return read._replace(keys=tuple(read.keys), comment=(opening, closing))


def read_local(root: Path) -> dict[str, Any]:
    """What this person's own connecting left: the token's id, the server it was made for, the data folder."""
    try:
        told = json.loads((root / LOCAL).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


def agreed_url(root: Path) -> str | None:
    """The server that this person connected the repository to, which a commit cannot change."""
    url = read_local(root).get("url")
    return url if isinstance(url, str) else None


def read_token(root: Path | None) -> str | None:
    """The environment's, else the file's."""
    given = os.environ.get("PENDESK_MCP_TOKEN")
    if given or root is None:
        return given or None
    try:
        return (root / TOKEN).read_text("ascii").strip() or None
    except (OSError, UnicodeDecodeError):
        return None


def write_private(path: Path, text: str) -> None:
    """For the owner alone from its first byte on, and whole or not at all."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    draft.replace(path)
