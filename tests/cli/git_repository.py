"""A real git repository with a branch to work on."""

from pathlib import Path

from pendesk.cli.parts.git import Git, open_repository
from tests.cli.conftest import git


class GitRepository:
    """One commit on main, and the branch work."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.git("init", "-q", "-b", "main")
        self.write("README.md", "# Harbour\n")
        self.base = self.commit("Begin")
        self.git("checkout", "-qb", "work")

    def git(self, *arguments: str) -> str:
        return git(self.folder, *arguments).rstrip("\n")

    def write(self, path: str, content: str | bytes) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit(self, message: str, **files: str) -> str:
        """Everything that there is; its SHA."""
        for path, content in files.items():
            self.write(path, content)
        self.git("add", "-A", "-f")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.head

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD")

    def open(self) -> Git:
        return open_repository(self.folder)
