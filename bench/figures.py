"""How figures are made and shown: medians of interleaved rounds, with their spread."""

import statistics
from collections.abc import Sequence


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def spread(values: Sequence[float]) -> str:
    return f"{min(values):,.0f}-{max(values):,.0f}"


def percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def ratios(ours: Sequence[float], theirs: Sequence[float]) -> list[float]:
    """Round by round: what ran side by side is compared, so that a busy minute spoils both alike."""
    return [a / b for a, b in zip(ours, theirs, strict=True)]


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> str:
    values = ratios(ours, theirs)
    return f"{median(values):.2f} ({min(values):.2f}-{max(values):.2f})"


def show(title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table that is also Markdown."""
    texts = [[str(cell) for cell in row] for row in [head, *rows]]
    widths = [max(len(row[column]) for row in texts) for column in range(len(head))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in texts
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    print(f"\n## {title}\n\n" + "\n".join(lines), flush=True)
