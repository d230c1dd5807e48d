"""Other programs' files, read into a plan and staged as rows of ours: from there on an import like any other."""

import hashlib
from collections.abc import Callable
from typing import Any

from pendesk.domain.access import Actor
from pendesk.domain.errors import BadField
from pendesk.domain.exchange.backlog import read_backlog
from pendesk.domain.exchange.github_issues import read_github_issues
from pendesk.domain.exchange.plan import Plan
from pendesk.domain.exchange.plan_desk import read_plan_desk
from pendesk.domain.exchange.source import SourceFile
from pendesk.domain.exchange.task_master import read_task_master
from pendesk.operations.exchange.consistency_checks import ConsistencyChecks
from pendesk.operations.exchange.jsonl import Person, read_line, write
from pendesk.operations.exchange.planned_rows import planned_rows
from pendesk.operations.exchange.staging import Staged, staging
from pendesk.store.files import Files
from pendesk.store.portable.tables import BY_WORD

READERS: dict[str, Callable[[list[SourceFile]], Plan]] = {
    "backlog": read_backlog,
    "taskmaster": read_task_master,
    "plandesk": read_plan_desk,
    "github": read_github_issues,
}


def read_third_party(program: str, files: list[SourceFile]) -> Plan:
    if not files:
        raise BadField("", "There is no file to read in it (.md, .json, .yml). Name the folder or file that has them.")
    return READERS[program](files)


def stage_plan(files: Files, plan: Plan, program: str, actor: Actor, now: int) -> Staged:
    """Whoever imports has made what the plan says: the file's own people are texts."""
    with staging(files) as stage:
        checks = ConsistencyChecks()
        stage.put("person", Person(actor.user_id, "person", actor.user_name))
        checks.person(0, actor.user_id)
        hashed = hashlib.sha256()
        for number, (word, row) in enumerate(planned_rows(plan, actor.user_id, now), 1):
            # By the way of a file's line, so that what holds for an export holds for these rows.
            line = write(word, row)
            hashed.update(line)
            value: dict[str, Any] = read_line(number, line)[1]
            checks.row(number, BY_WORD[word], value)
            stage.put(word, value)
        checks.conclude()
        for warning in plan.warnings:
            stage.warn(warning)
        stage.put("import", {"source": program, "copy": False, "sha256": hashed.hexdigest()})
    assert stage.staged is not None
    return stage.staged
