"""Databases to measure on: seeded once, cached under .bench, copied for every run."""

import hashlib
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from bench import seed
from bench.seed import Shape, seed_sqlite
from pendesk.store.engine.migrate import all_migrations

FOLDER = Path(".bench")


def seeded(shape: Shape) -> Path:
    """The file of a shape."""
    return cached_file(f"{shape.actions}x{shape.workspaces}", seed, lambda path: seed_sqlite(path, shape))


def cached_file(name: str, by: ModuleType, fill: Callable[[Path], None]) -> Path:
    """A file that `fill` makes; a changed schema, or a change in the module it is made by, makes a new one."""
    FOLDER.mkdir(exist_ok=True)
    texts = [migration.sql for migration in all_migrations("sqlite")] + [Path(str(by.__file__)).read_text()]
    version = hashlib.sha256("".join(texts).encode()).hexdigest()[:12]
    path = FOLDER / f"{name}-{version}.db"
    if not path.exists():
        for old in FOLDER.glob(f"{name}-*.db*"):
            old.unlink()
        unfinished = FOLDER / f"{name}.unfinished"
        unfinished.unlink(missing_ok=True)
        fill(unfinished)
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
