"""The raw baseline: builds raw_sqlite.c, and replays a trace with it."""

import os
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import NamedTuple

from bench import places
from bench.trace import Trace, save
from pendesk.store.engine.sqlite import CACHE_KIB, MMAP_BYTES

# Ships SQLite's amalgamation, one minor release before the one that apsw ships; only its source is used.
AMALGAMATION = "better-sqlite3@13.0.3"
MEMBERS = ("package/deps/sqlite3/sqlite3.c", "package/deps/sqlite3/sqlite3.h")
FOLDER = places.FOLDER

# As apsw is built, where it matters to speed.
OPTIONS = ("THREADSAFE=1", "ENABLE_FTS5", "ENABLE_STAT4", "DEFAULT_WAL_SYNCHRONOUS=2", "OMIT_SHARED_CACHE")


class Replayed(NamedTuple):
    operations: int
    seconds: float
    cpu_seconds: float
    committing_ms: float
    version: str

    @property
    def per_second(self) -> float:
        return self.operations / self.seconds

    @property
    def cpu_us(self) -> float:
        return self.cpu_seconds / self.operations * 1e6


def build() -> Path:
    """The program, built once; with the machine's own SQLite where npm cannot be reached."""
    FOLDER.mkdir(exist_ok=True)
    program, source = FOLDER / "raw_sqlite", Path(__file__).with_name("raw_sqlite.c")
    if program.exists() and program.stat().st_mtime > source.stat().st_mtime:
        return program
    compiler = [os.environ.get("CC", "gcc"), "-O2", "-o", str(program), str(source)]
    if _amalgamation():
        options = [f"-DSQLITE_{option}" for option in OPTIONS]
        compiler += [str(FOLDER / "sqlite3.c"), f"-I{FOLDER}", *options, "-lm", "-lpthread", "-ldl"]
    else:
        print("SQLite's source cannot be downloaded; the baseline uses libsqlite3-dev of this machine")
        compiler += ["-lsqlite3"]
    subprocess.run(compiler, check=True)
    return program


def _amalgamation() -> bool:
    if (FOLDER / "sqlite3.c").exists():
        return True
    if shutil.which("npm") is None:
        return False
    result = subprocess.run(["npm", "pack", "--silent", AMALGAMATION], cwd=FOLDER, capture_output=True, text=True)
    if result.returncode != 0:
        return False
    package = FOLDER / result.stdout.split()[-1]
    with tarfile.open(package) as archive:
        for member in MEMBERS:
            content = archive.extractfile(member)
            assert content is not None
            (FOLDER / Path(member).name).write_bytes(content.read())
    package.unlink()
    return True


def replay(program: Path, database: Path, trace: Trace) -> Replayed:
    file = database.with_suffix(".trace")
    save(trace, file)
    command = [str(program), str(database), str(file), str(CACHE_KIB), str(MMAP_BYTES)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    file.unlink()
    return Replayed(int(output[0]), float(output[1]), float(output[2]), float(output[3]), output[4])
