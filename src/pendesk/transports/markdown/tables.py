"""Tables up to so many cells in a text; what goes beyond is shown as it was typed.

A row need not name its cells: 1.6 kB of text can ask for 66,000 of them.
"""

from collections.abc import MutableMapping
from typing import Any

from markdown_it.rules_block import StateBlock
from markdown_it.rules_block import table as any_table

from pendesk.domain.limits import TABLE_CELLS

_LEFT = "table cells left"


def size_limited_table_rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    left = state.env.setdefault(_LEFT, TABLE_CELLS)
    if left <= 0 or not any_table(state, start, end, True):
        return False
    if not silent:
        # Once a table has been refused none is looked for: counting the same rows again for each line would take long.
        cells = _count_columns(state, start) * _max_row_count(state, start, end)
        state.env[_LEFT] = left - cells
    return bool(state.env[_LEFT] >= 0 and any_table(state, start, end, silent))


def has_oversized_table(markdown_env: MutableMapping[str, Any]) -> bool:
    """Whether a table of the text is shown as typed."""
    return int(markdown_env.get(_LEFT, 0)) < 0


def _count_columns(state: StateBlock, line: int) -> int:
    return state.src.count("|", state.bMarks[line], state.eMarks[line]) + 1


def _max_row_count(state: StateBlock, start_line: int, end_line: int) -> int:
    """At most: a table ends with the first blank line, if not before."""
    return next((line for line in range(start_line, end_line) if state.isEmpty(line)), end_line) - start_line
