"""A plan as rows of the tables of an export, each with its first revision."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from pendesk.domain import limits, project
from pendesk.domain.action import Action, ActionState
from pendesk.domain.comment import Comment
from pendesk.domain.criterion import Criterion, CriterionStatus
from pendesk.domain.document import Document, Note
from pendesk.domain.edge import Edge, order
from pendesk.domain.exchange import plan as planned
from pendesk.domain.exchange.plan import Plan
from pendesk.domain.project import propose_key
from pendesk.domain.run import AgentRun, RunStatus
from pendesk.ids import new_id
from pendesk.operations.revisions import revision_content
from pendesk.store.engine.json_text import to_json
from pendesk.store.portable.tables import BY_WORD

Row = tuple[str, dict[str, Any]]
IMPLEMENTED, PENDING = CriterionStatus.IMPLEMENTED, CriterionStatus.PENDING


class ImportContext(NamedTuple):
    """Who imports, when, and into what."""

    project_id: str
    user_id: str
    now: int

    def authorship(self, created_at: int | None = None, updated_at: int | None = None) -> dict[str, Any]:
        began = created_at or self.now
        return {
            "revision": 1,
            "created_by": self.user_id,
            "created_at": began,
            "updated_at": max(began, updated_at or began),
        }

    def revision(self, ident: str, content: dict[str, Any]) -> Row:
        values = {"object_id": ident, "revision": 1, "content": content, "author_id": self.user_id}
        return "revision", {**values, "written_at": self.now}


def planned_rows(plan: Plan, user_id: str, now: int) -> Iterator[Row]:
    context = ImportContext(new_id(), user_id, now)
    revisions: list[Row] = []
    yield from _project(plan, context, revisions)
    ids = {key: new_id() for key in plan.tasks}
    documents = {key: new_id() for key in plan.documents}
    yield from _tasks(plan, context, ids, revisions)
    yield from _edges(plan, context, ids)
    yield from _documents(plan, context, ids, documents, revisions)
    yield from _comments(plan, context, documents)
    yield from _runs(plan, context)
    yield from revisions


def row_of(word: str, noun: Any) -> Row:
    """The exported columns of a noun; JSON as what it is, null left out."""
    values = noun._asdict()
    return word, {
        name: msgspec.Raw(values[name].encode()) if column.shape is not None else values[name]
        for name, column in BY_WORD[word].columns.items()
        if values[name] is not None
    }


def _project(plan: Plan, context: ImportContext, revisions: list[Row]) -> Iterator[Row]:
    row = project.Project(
        id=context.project_id,
        key=propose_key(plan.name, set()),
        name=plan.name[: limits.NAME_CHARS],
        description=plan.description,
        state="active",
        repository_url=plan.repository_url,
        last_ref=len(plan.tasks),
        **context.authorship(),
    )
    yield row_of("project", row)
    revisions.append(context.revision(row.id, revision_content.of_project(row)))
    for position, planned_goal in enumerate(plan.goals, 1):
        goal = project.Goal(
            new_id(), context.project_id, planned_goal.title, planned_goal.description, position, **context.authorship()
        )
        yield row_of("goal", goal)
        revisions.append(context.revision(goal.id, revision_content.of_goal(goal)))


def _tasks(plan: Plan, context: ImportContext, ids: dict[str, str], revisions: list[Row]) -> Iterator[Row]:
    criteria: list[Row] = []
    for number, task in enumerate(plan.tasks.values(), 1):
        action = _action(task, number, ids[task.key], context)
        action_criteria = [
            Criterion(new_id(), action.id, place, criterion.text, IMPLEMENTED if criterion.met else PENDING, 1, None)
            for place, criterion in enumerate(task.criteria, 1)
        ]
        yield row_of("action", action)
        criteria += [row_of("criterion", criterion) for criterion in action_criteria]
        revisions.append(context.revision(action.id, revision_content.of_action(action, action_criteria)))
    yield from criteria


def _action(task: planned.Task, number: int, ident: str, context: ImportContext) -> Action:
    return Action(
        id=ident,
        project_id=context.project_id,
        spec_id=None,
        plan_id=None,
        ref_number=number,
        label=task.label,
        description=task.description,
        area=task.area,
        paths=to_json([]),
        state=ActionState(task.state),
        state_reason=task.state_reason,
        priority=task.priority,
        position=number,
        x=task.x,
        y=task.y,
        fence=0,
        claim_id=None,
        news_seq=0,
        **context.authorship(task.created_at, task.updated_at),
    )


def _edges(plan: Plan, context: ImportContext, ids: dict[str, str]) -> Iterator[Row]:
    for link in plan.links.values():
        source, target = ids[link.source], ids[link.target]
        first, after = order(link.label, source, target)
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
        yield row_of("edge", edge)


def _documents(
    plan: Plan, context: ImportContext, ids: dict[str, str], documents: dict[str, str], revisions: list[Row]
) -> Iterator[Row]:
    for planned_document in plan.documents.values():
        document = Document(
            id=documents[planned_document.key],
            project_id=context.project_id,
            parent_id=documents.get(planned_document.parent or ""),
            linked_action_id=ids.get(planned_document.linked_task or ""),
            title=planned_document.title,
            body=planned_document.body,
            status_line=planned_document.status_line,
            **context.authorship(),
        )
        yield row_of("document", document)
        revisions.append(context.revision(document.id, revision_content.of_document(document)))
    for planned_note in plan.notes:
        note = Note(new_id(), context.project_id, planned_note.title, planned_note.body, **context.authorship())
        yield row_of("note", note)
        revisions.append(context.revision(note.id, revision_content.of_note(note)))


def _comments(plan: Plan, context: ImportContext, documents: dict[str, str]) -> Iterator[Row]:
    for planned_comment in plan.comments:
        start = (
            plan.documents[planned_comment.document].body.find(planned_comment.passage)
            if planned_comment.passage
            else -1
        )
        comment = Comment(
            id=new_id(),
            project_id=context.project_id,
            document_id=documents[planned_comment.document],
            body=planned_comment.body,
            passage=planned_comment.passage,
            passage_start=start if start >= 0 else None,
            passage_lost=int(planned_comment.passage is not None and start < 0),
            author_id=context.user_id,
            created_at=planned_comment.created_at or context.now,
            resolved_by=context.user_id if planned_comment.resolved else None,
            resolved_at=context.now if planned_comment.resolved else None,
        )
        yield row_of("comment", comment)


def _runs(plan: Plan, context: ImportContext) -> Iterator[Row]:
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
        yield row_of("run", run)
