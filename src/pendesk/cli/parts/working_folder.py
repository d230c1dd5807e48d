"""A folder for what is being made, beside where it will stand: gone when the work ends, however it ends.

A process that is killed cannot clear up, so the next one does: what nobody holds locked is left over.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has none, and what is left over there stays
    fcntl = None  # type: ignore[assignment]


@contextmanager
def working_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """`prefix` begins the names of all such folders of one purpose."""
    remove_left_over_folders(parent, prefix)
    with tempfile.TemporaryDirectory(dir=parent, prefix=prefix) as name:
        lock = _lock(Path(name))
        try:
            yield Path(name)
        finally:
            if lock is not None:
                os.close(lock)


def remove_left_over_folders(parent: Path, prefix: str) -> None:
    for path in parent.glob(f"{prefix}*"):
        if fcntl is None or path.is_symlink() or not path.is_dir():
            continue
        with suppress(OSError):
            if (lock := _lock(path)) is not None:
                shutil.rmtree(path, ignore_errors=True)
                os.close(lock)


def _lock(folder: Path) -> int | None:
    """A descriptor that holds it until it is closed; None where another process does, or there are no locks."""
    if fcntl is None:
        return None  # type: ignore[unreachable]
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
