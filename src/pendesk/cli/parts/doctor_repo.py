"""A repository that doctor looks at, and what its checks share."""

from pathlib import Path
from typing import Any

from pendesk.cli.binding.record import Binding
from pendesk.cli.parts.remote import Remote
from pendesk.settings import Settings


class RepoPatient:
    """What the checks share. A check that finds no way on leaves the later ones nothing to look at."""

    def __init__(self, root: Path, settings: Settings) -> None:
        self.root = root
        self.settings = settings
        self.binding: Binding | None = None
        self.remote: Remote | None = None
        self.context: dict[str, Any] | None = None

    @property
    def connect(self) -> str:
        return f"pendesk connect --repo {self.root}"
