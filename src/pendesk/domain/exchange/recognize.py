"""Which program wrote these files: by what only its files have."""

import re
from collections.abc import Callable
from typing import Any

from pendesk.domain.errors import BadField
from pendesk.domain.exchange.source import ImportFile, decode_json

NAMES = {
    "backlog": "Backlog.md's folder",
    "taskmaster": "Task Master's tasks",
    "plandesk": "a Plan Desk export",
    "github": "GitHub's issues",
}
_BACKLOG_TASK = re.compile(r"(?:.*/)?(?:tasks|drafts|completed)/[^/]+\.md\Z")


def recognize_program(files: list[ImportFile]) -> str:
    """A key of NAMES. Refused where none, or more than one, is recognized."""
    json_values = [_json_or_none(file) for file in files if file.name.endswith(".json") or len(files) == 1]
    programs = [name for name, wrote in _RECOGNIZED.items() if any(wrote(value) for value in json_values)]
    if any(_BACKLOG_TASK.match(file.name) for file in files):
        programs.append("backlog")
    if len(programs) != 1:
        several = " or ".join(NAMES[name] for name in programs)
        problem = f"This may be {several}" if programs else "No other program's files are recognized in this"
        raise BadField("", f"{problem}. Say which: --from {', '.join(NAMES)}, then the path.")
    return programs[0]


def _json_or_none(file: ImportFile) -> Any:
    try:
        return decode_json(file)
    except BadField:
        return None


def _is_task_master(value: Any) -> bool:
    if not isinstance(value, dict) or "version" in value:
        return False
    return _has_tasks(value) or (bool(value) and all(_has_tasks(tag) for tag in value.values()))


def _has_tasks(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("tasks"), list)


def _is_plan_desk(value: Any) -> bool:
    return isinstance(value, dict) and str(value.get("version", "")).startswith("plandesk-export-")


def _is_github(value: Any) -> bool:
    """A list of issues, or of pages of them."""
    issues = value[0] if isinstance(value, list) and value and isinstance(value[0], list) else value
    return isinstance(issues, list) and bool(issues) and _is_issue(issues[0])


def _is_issue(value: Any) -> bool:
    return isinstance(value, dict) and {"number", "title"} <= value.keys()


_RECOGNIZED: dict[str, Callable[[Any], bool]] = {
    "taskmaster": _is_task_master,
    "plandesk": _is_plan_desk,
    "github": _is_github,
}
