"""How much is stored, and how much may be."""

from typing import Any

MEGABYTE = 1_000_000


def format_use(use: dict[str, Any]) -> str:
    return f"{use['usedBytes'] / MEGABYTE:,.1f} of {use['limitBytes'] // MEGABYTE:,} MB"
