"""The files that other programs made, as the readers get them. Backlog.md 1.52 and Task Master 0.43 made theirs."""

from pathlib import Path

from pendesk.domain.exchange.source import ImportFile

SAMPLES = Path(__file__).parent / "samples"


def one(name: str) -> list[ImportFile]:
    return [ImportFile(name, (SAMPLES / name).read_bytes())]


def folder(name: str) -> list[ImportFile]:
    root = SAMPLES / name
    files = [path for path in sorted(root.rglob("*")) if path.is_file()]
    return [ImportFile(path.relative_to(root).as_posix(), path.read_bytes()) for path in files]
