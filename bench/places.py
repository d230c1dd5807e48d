"""Databases to measure on: seeded once, kept under .bench, copied for every run."""

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.seed import Shape, seed_sqlite
from pendesk.store.migrate import known

FOLDER = Path(".bench")


def seeded(shape: Shape) -> Path:
    """The file of a shape; a changed schema or seed makes a new one and drops the old."""
    FOLDER.mkdir(exist_ok=True)
    texts = [migration.sql for migration in known("sqlite")] + [Path(__file__).with_name("seed.py").read_text()]
    version = hashlib.sha256("".join(texts).encode()).hexdigest()[:12]
    name = f"{shape.actions}x{shape.workspaces}"
    path = FOLDER / f"{name}-{version}.db"
    if not path.exists():
        for old in FOLDER.glob(f"{name}-*.db*"):
            old.unlink()
        unfinished = FOLDER / f"{name}.unfinished"
        unfinished.unlink(missing_ok=True)
        seed_sqlite(unfinished, shape)
        unfinished.rename(path)
    return path


@contextmanager
def copied(source: Path, name: str = "run.db") -> Iterator[Path]:
    """A copy on the same disk, gone afterwards."""
    path = FOLDER / name
    remove(path)
    shutil.copy(source, path)
    try:
        yield path
    finally:
        remove(path)


def remove(path: Path) -> None:
    for tail in ("", "-wal", "-shm"):
        Path(f"{path}{tail}").unlink(missing_ok=True)
