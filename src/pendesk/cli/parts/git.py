"""Reads a git repository, and runs nothing of it: no hooks, no diff or filter programs, no fetching, no pager."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pendesk.cli.parts.console import CommandError

TIMEOUT_S = 120.0
# Which repository and which programs is not for the environment of a hook or an alias to say.
_DROPPED = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_LITERAL_PATHSPECS"}
_SET = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_CONFIG = (
    "blame.ignoreRevsFile=",
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.quotePath=false",
    "diff.suppressBlankEmpty=false",
    "i18n.logOutputEncoding=UTF-8",
    "log.showSignature=false",
)


class GitFailed(CommandError):
    """git refused; the message is its own."""

    def __init__(self, message: str, exit_status: int | None = None) -> None:
        super().__init__(message)
        self.exit_status = exit_status


class Git:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def run(
        self, *arguments: str, stdin: bytes = b"", timeout_s: float = TIMEOUT_S, config: Sequence[str] = ()
    ) -> bytes:
        """What it prints."""
        try:
            completed = subprocess.run(  # noqa: S603
                self._command(arguments, config),
                input=stdin,
                capture_output=True,
                env=_environment(),
                timeout=timeout_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise GitFailed(f"git {arguments[0]} took longer than {timeout_s:.0f} seconds.") from None
        if completed.returncode != 0:
            raise _failure(arguments[0], completed.returncode, completed.stderr)
        return completed.stdout

    def line(self, *arguments: str) -> str | None:
        """The one line that it prints; None if it refuses."""
        try:
            return self.run(*arguments).decode(errors="replace").rstrip("\n") or None
        except GitFailed:
            return None

    @contextmanager
    def stream(self, *arguments: str) -> Iterator[IO[bytes]]:
        """What it prints, while it prints it: for what may be larger than the memory."""
        with subprocess.Popen(  # noqa: S603
            self._command(arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        ) as process:
            assert process.stdout is not None
            try:
                yield process.stdout
                process.stdout.read()
            except BaseException:
                process.kill()
                raise
        if process.returncode != 0:
            raise GitFailed(f"git {arguments[0]} failed. Run `git fsck` to see whether an object is missing.")

    def _command(self, arguments: tuple[str, ...], config: Sequence[str] = ()) -> list[str]:
        program = shutil.which("git")
        if program is None:
            raise CommandError("git is not installed, or not on the PATH: the change is read from the repository.")
        settings = [word for setting in (*_CONFIG, *config) for word in ("-c", setting)]
        return [program, "-C", str(self._folder), "--no-pager", *settings, *arguments]


def open_repository(folder: Path) -> Git:
    """The repository that the folder is in, from its top folder: paths are named from there."""
    if not folder.is_dir():
        raise CommandError(f"{folder} is not a folder. Name the repository with --repo.")
    git = Git(folder)
    try:
        is_inside = git.run("rev-parse", "--is-inside-work-tree").strip() == b"true"
    except GitFailed as failure:
        if "not a git repository" in failure.message:
            raise CommandError(
                f"{folder.absolute()} is not in a git repository. Run this in the repository, or name it with --repo."
            ) from None
        raise
    if not is_inside:
        raise CommandError("This repository has no work tree (it is bare). Run this in a clone or a work tree of it.")
    return Git(Path(os.fsdecode(git.run("rev-parse", "--show-toplevel").removesuffix(b"\n"))))


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _DROPPED}
    return {**kept, **_SET}


def _failure(command: str, exit_status: int, printed: bytes) -> GitFailed:
    lines = printed.decode(errors="replace").strip().splitlines()
    reason = lines[0].removeprefix("fatal: ") if lines else f"exit status {exit_status}"
    return GitFailed(f"git {command} failed: {reason}", exit_status)
