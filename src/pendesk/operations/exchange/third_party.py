"""Other programs' files, read into a plan and staged as rows of ours: from there on an import like any other."""

import hashlib
from collections.abc import Callable
from typing import Any

from pendesk.domain.access import Actor
from pendesk.domain.errors import BadField
from pendesk.domain.exchange.backlog import read_backlog_md_folder
from pendesk.domain.exchange.github_issues import read_github_issues
from pendesk.domain.exchange.plan import ImportPlan
from pendesk.domain.exchange.plan_desk import read_plan_desk_export
from pendesk.domain.exchange.source import ImportFile
from pendesk.domain.exchange.specs import group_tasks_into_specs
from pendesk.domain.exchange.task_master import read_task_master_file
from pendesk.ids import new_id
from pendesk.operations.exchange.consistency_checks import ConsistencyChecks
from pendesk.operations.exchange.imported_assignees import NamedAssignee
from pendesk.operations.exchange.jsonl import Person, decode_line_kind_and_value, encode_line
from pendesk.operations.exchange.planned_rows import rows_from_import_plan
from pendesk.operations.exchange.staging import StagedImport, create_staged_import
from pendesk.store.files import Files
from pendesk.store.portable.tables import BY_WORD

READERS: dict[str, Callable[[list[ImportFile]], ImportPlan]] = {
    "backlog": read_backlog_md_folder,
    "taskmaster": read_task_master_file,
    "plandesk": read_plan_desk_export,
    "github": read_github_issues,
}


def parse_third_party_files(source_program: str, files: list[ImportFile], *, as_specs: bool = False) -> ImportPlan:
    """`as_specs`: a spec for each group of tasks in them."""
    if not files:
        raise BadField("", "There is no file to read in it (.md, .json, .yml). Name the folder or file that has them.")
    plan = READERS[source_program](files)
    if as_specs:
        group_tasks_into_specs(plan)
    return plan


def stage_import_from_plan(files: Files, plan: ImportPlan, source_program: str, actor: Actor, now: int) -> StagedImport:
    """Whoever imports has made what the plan says: the file's own people are texts."""
    with create_staged_import(files) as stage:
        checks = ConsistencyChecks()
        stage.write("person", Person(actor.user_id, "person", actor.user_name))
        checks.check_and_add_person(0, actor.user_id)
        assignees = {names: NamedAssignee(new_id(), list(names)) for names in plan.distinct_assignees()}
        for assignee in assignees.values():
            stage.write("assignee", assignee._asdict())
            checks.check_and_add_person(0, assignee.id)
        hashed = hashlib.sha256()
        ids = {names: assignee.id for names, assignee in assignees.items()}
        for number, (word, row) in enumerate(rows_from_import_plan(plan, actor.user_id, now, ids), 1):
            if word == "under_way":
                stage.write(word, row)
                continue
            # By the way of a file's line, so that what holds for an export holds for these rows.
            line = encode_line(word, row)
            hashed.update(line)
            value: dict[str, Any] = decode_line_kind_and_value(number, line)[1]
            checks.check_row(number, BY_WORD[word], value)
            stage.write_row(number, word, value)
        checks.check_references_and_cycles_at_end()
        for warning in plan.warnings:
            stage.write_warning(warning)
        stage.write("import", {"source": source_program, "copy": False, "sha256": hashed.hexdigest()})
    assert stage.staged is not None
    return stage.staged
