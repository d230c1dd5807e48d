"""A run of doctor on a repository."""

from pathlib import Path
from typing import Any

from pendesk.cli.binding.record import RepoBinding
from pendesk.cli.parts.remote import RemoteClient
from pendesk.settings import Settings


class RepoDoctorRun:
    """What the diagnostics share. One that cannot continue leaves its field empty, and later ones skip themselves."""

    def __init__(self, root: Path, settings: Settings) -> None:
        self.root = root
        self.settings = settings
        self.binding: RepoBinding | None = None
        self.remote: RemoteClient | None = None
        self.context: dict[str, Any] | None = None

    @property
    def connect_command(self) -> str:
        return f"pendesk connect --repo {self.root}"
