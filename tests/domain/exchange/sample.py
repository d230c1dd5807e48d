"""The files that other programs made, as the readers get them. Backlog.md 1.52 and Task Master 0.43 made theirs."""

from pathlib import Path

from pendesk.domain.exchange.source import SourceFile

SAMPLES = Path(__file__).parent / "samples"


def one(name: str) -> list[SourceFile]:
    return [SourceFile(name, (SAMPLES / name).read_bytes())]


def folder(name: str) -> list[SourceFile]:
    root = SAMPLES / name
    files = [path for path in sorted(root.rglob("*")) if path.is_file()]
    return [SourceFile(path.relative_to(root).as_posix(), path.read_bytes()) for path in files]
