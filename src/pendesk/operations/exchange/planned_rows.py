"""A plan as rows of the tables of an export, each with its first revision."""

from collections.abc import Generator, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from pendesk.domain import limits, project
from pendesk.domain.action import Action, ActionState
from pendesk.domain.comment import Comment
from pendesk.domain.criterion import Criterion, CriterionStatus
from pendesk.domain.document import Document, Note
from pendesk.domain.edge import Edge, predecessor_and_successor
from pendesk.domain.exchange import plan as planned
from pendesk.domain.exchange.plan import ImportPlan
from pendesk.domain.label import acceptable_labels
from pendesk.domain.project import propose_project_key
from pendesk.domain.run import AgentRun, RunStatus
from pendesk.ids import new_id
from pendesk.operations.revisions import revision_content
from pendesk.store.engine.json_text import to_json
from pendesk.store.portable.tables import BY_WORD

Row = tuple[str, dict[str, Any]]
PLAN_TITLE = "Plan A"
IMPLEMENTED, PENDING = CriterionStatus.IMPLEMENTED, CriterionStatus.PENDING


class ImportContext(NamedTuple):
    """Who imports, when, and into what."""

    project_id: str
    user_id: str
    now: int
    assignee_id_by_names: Mapping[tuple[str, ...], str]

    def audit_columns(self, created_at: int | None = None, updated_at: int | None = None) -> dict[str, Any]:
        began = created_at or self.now
        return {
            "revision": 1,
            "created_by": self.user_id,
            "created_at": began,
            "updated_at": max(began, updated_at or began),
        }

    def first_revision_row(self, object_id: str, content: dict[str, Any]) -> Row:
        values = {"object_id": object_id, "revision": 1, "content": content, "author_id": self.user_id}
        return "revision", {**values, "written_at": self.now}


def rows_from_import_plan(
    plan: ImportPlan, imported_by: str, now: int, assignee_id_by_names: Mapping[tuple[str, ...], str]
) -> Iterator[Row]:
    context = ImportContext(new_id(), imported_by, now, assignee_id_by_names)
    revisions: list[Row] = []
    goal_ids = yield from _project_and_goal_rows(plan, context, revisions)
    spec_and_plan_ids = yield from _spec_and_plan_rows(plan, context, goal_ids, revisions)
    ids = {key: new_id() for key in plan.tasks}
    documents = {key: new_id() for key in plan.documents}
    yield from _action_and_criterion_rows(plan, context, ids, spec_and_plan_ids, revisions)
    yield from _edge_rows(plan, context, ids)
    yield from _document_and_note_rows(plan, context, ids, documents, revisions)
    yield from _comment_rows(plan, context, documents)
    yield from _agent_run_rows(plan, context)
    yield from revisions
    for task in plan.tasks.values():
        if task.state_under_way is not None:
            yield "under_way", {"action_id": ids[task.key], "state": task.state_under_way}


def to_export_row(row_kind: str, entity: Any) -> Row:
    """The exported columns of a noun; JSON as what it is, null left out."""
    values = entity._asdict()
    return row_kind, {
        name: msgspec.Raw(values[name].encode()) if column.shape is not None else values[name]
        for name, column in BY_WORD[row_kind].columns.items()
        if values[name] is not None
    }


def _project_and_goal_rows(
    plan: ImportPlan, context: ImportContext, revision_rows_to_fill: list[Row]
) -> Generator[Row, None, dict[str, str]]:
    """Returns the ids of the goals by their titles."""
    goal_id_by_title: dict[str, str] = {}
    row = project.Project(
        id=context.project_id,
        key=propose_project_key(plan.name, set()),
        name=plan.name[: limits.NAME_CHARS],
        description=plan.description,
        state="active",
        repository_url=plan.repository_url,
        last_ref=len(plan.tasks),
        **context.audit_columns(),
    )
    yield to_export_row("project", row)
    revision_rows_to_fill.append(context.first_revision_row(row.id, revision_content.project_content(row)))
    for position, planned_goal in enumerate(plan.goals, 1):
        goal = project.Goal(
            new_id(),
            context.project_id,
            planned_goal.title,
            planned_goal.description,
            position,
            **context.audit_columns(),
        )
        yield to_export_row("goal", goal)
        revision_rows_to_fill.append(context.first_revision_row(goal.id, revision_content.goal_content(goal)))
        goal_id_by_title[goal.title] = goal.id
    return goal_id_by_title


def _spec_and_plan_rows(
    plan: ImportPlan, context: ImportContext, goal_id_by_title: dict[str, str], revision_rows_to_fill: list[Row]
) -> Generator[Row, None, dict[str, tuple[str, str]]]:
    """Returns the ids of spec and plan by the keys of the tasks that belong to them."""
    spec_and_plan_ids: dict[str, tuple[str, str]] = {}
    plan_rows: list[Row] = []
    for planned_spec in plan.specs:
        audit = context.audit_columns()
        spec_plan = project.Plan(new_id(), new_id(), PLAN_TITLE, "", **audit)
        spec = _to_spec(planned_spec, spec_plan, goal_id_by_title.get(planned_spec.goal), context)
        yield to_export_row("spec", spec)
        plan_rows += [_participant_row(spec.id, context), to_export_row("plan", spec_plan)]
        revision_rows_to_fill.append(context.first_revision_row(spec.id, revision_content.spec_content(spec)))
        revision_rows_to_fill.append(context.first_revision_row(spec_plan.id, revision_content.plan_content(spec_plan)))
        spec_and_plan_ids |= dict.fromkeys(planned_spec.task_keys, (spec.id, spec_plan.id))
    yield from sorted(plan_rows, key=lambda row: row[0] != "participant")
    return spec_and_plan_ids


def _to_spec(
    planned_spec: planned.PlannedSpec, active_plan: project.Plan, goal_id: str | None, context: ImportContext
) -> project.Spec:
    return project.Spec(
        id=active_plan.spec_id,
        project_id=context.project_id,
        goal_id=goal_id,
        title=planned_spec.title,
        summary="",
        results=to_json([]),
        conditions=to_json([]),
        boundaries=to_json([]),
        active_plan_id=active_plan.id,
        build_id=None,
        build_number=0,
        **context.audit_columns(),
    )


def _participant_row(spec_id: str, context: ImportContext) -> Row:
    """Whoever imports takes part, as who creates a spec does."""
    return "participant", {
        "spec_id": spec_id,
        "user_id": context.user_id,
        "added_by": context.user_id,
        "added_at": context.now,
    }


def _action_and_criterion_rows(
    plan: ImportPlan,
    context: ImportContext,
    action_id_by_task_key: dict[str, str],
    spec_and_plan_ids: dict[str, tuple[str, str]],
    revision_rows_to_fill: list[Row],
) -> Iterator[Row]:
    criteria: list[Row] = []
    for number, task in enumerate(plan.tasks.values(), 1):
        spec_id, plan_id = spec_and_plan_ids.get(task.key, (None, None))
        action = _to_action(task, number, action_id_by_task_key[task.key], context)
        action = action._replace(spec_id=spec_id, plan_id=plan_id)
        action_criteria = [
            Criterion(new_id(), action.id, place, criterion.text, IMPLEMENTED if criterion.met else PENDING, 1, None)
            for place, criterion in enumerate(task.criteria, 1)
        ]
        yield to_export_row("action", action)
        criteria += [to_export_row("criterion", criterion) for criterion in action_criteria]
        revision_rows_to_fill.append(
            context.first_revision_row(action.id, revision_content.action_content(action, action_criteria))
        )
    yield from criteria


def _to_action(task: planned.Task, ref_number: int, action_id: str, context: ImportContext) -> Action:
    return Action(
        id=action_id,
        project_id=context.project_id,
        spec_id=None,
        plan_id=None,
        ref_number=ref_number,
        label=task.label,
        description=task.description,
        area=task.area,
        paths=to_json([]),
        state=ActionState(task.state),
        state_reason=task.state_reason,
        priority=task.priority,
        position=ref_number,
        x=task.x,
        y=task.y,
        fence=0,
        claim_id=None,
        news_event_id=0,
        assignee_user_id=context.assignee_id_by_names.get(task.assignee_names),
        due_on=task.due_on,
        labels=to_json(labels) if (labels := acceptable_labels(task.labels)) else None,
        **context.audit_columns(task.created_at, task.updated_at),
    )


def _edge_rows(plan: ImportPlan, context: ImportContext, action_id_by_task_key: dict[str, str]) -> Iterator[Row]:
    for link in plan.links.values():
        source, target = action_id_by_task_key[link.source], action_id_by_task_key[link.target]
        first, after = predecessor_and_successor(link.label, source, target)
        edge = Edge(
            new_id(),
            context.project_id,
            source,
            target,
            link.label,
            link.style,
            first,
            after,
            context.user_id,
            context.now,
        )
        yield to_export_row("edge", edge)


def _document_and_note_rows(
    plan: ImportPlan,
    context: ImportContext,
    action_id_by_task_key: dict[str, str],
    document_id_by_key: dict[str, str],
    revision_rows_to_fill: list[Row],
) -> Iterator[Row]:
    for planned_document in plan.documents.values():
        document = Document(
            id=document_id_by_key[planned_document.key],
            project_id=context.project_id,
            parent_id=document_id_by_key.get(planned_document.parent or ""),
            linked_action_id=action_id_by_task_key.get(planned_document.linked_task or ""),
            title=planned_document.title,
            body=planned_document.body,
            status_line=planned_document.status_line,
            **context.audit_columns(),
        )
        yield to_export_row("document", document)
        revision_rows_to_fill.append(
            context.first_revision_row(document.id, revision_content.document_content(document))
        )
    for planned_note in plan.notes:
        note = Note(new_id(), context.project_id, planned_note.title, planned_note.body, **context.audit_columns())
        yield to_export_row("note", note)
        revision_rows_to_fill.append(context.first_revision_row(note.id, revision_content.note_content(note)))


def _comment_rows(plan: ImportPlan, context: ImportContext, document_id_by_key: dict[str, str]) -> Iterator[Row]:
    for planned_comment in plan.comments:
        start = (
            plan.documents[planned_comment.document].body.find(planned_comment.passage)
            if planned_comment.passage
            else -1
        )
        comment = Comment(
            id=new_id(),
            project_id=context.project_id,
            document_id=document_id_by_key[planned_comment.document],
            body=planned_comment.body,
            passage=planned_comment.passage,
            passage_start=start if start >= 0 else None,
            passage_lost=int(planned_comment.passage is not None and start < 0),
            author_id=context.user_id,
            created_at=planned_comment.created_at or context.now,
            resolved_by=context.user_id if planned_comment.resolved else None,
            resolved_at=context.now if planned_comment.resolved else None,
        )
        yield to_export_row("comment", comment)


def _agent_run_rows(plan: ImportPlan, context: ImportContext) -> Iterator[Row]:
    for planned_run in plan.runs:
        started = planned_run.started_at or context.now
        ended = max(started, planned_run.ended_at or started)
        run = AgentRun(
            id=new_id(),
            project_id=context.project_id,
            action_id=None,
            user_id=context.user_id,
            label=planned_run.label,
            model=None,
            status=RunStatus(planned_run.status),
            tokens=None,
            cost_micros=None,
            result=planned_run.result or None,
            started_at=started,
            last_at=ended,
            ended_at=ended,
        )
        yield to_export_row("run", run)
