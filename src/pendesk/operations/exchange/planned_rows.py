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


class Maker(NamedTuple):
    """Who imports, when, and into what."""

    project_id: str
    user_id: str
    now: int

    def made(self, created_at: int | None = None, updated_at: int | None = None) -> dict[str, Any]:
        began = created_at or self.now
        return {
            "revision": 1,
            "created_by": self.user_id,
            "created_at": began,
            "updated_at": max(began, updated_at or began),
        }

    def revision(self, ident: str, content: dict[str, Any]) -> Row:
        told = {"object_id": ident, "revision": 1, "content": content, "author_id": self.user_id}
        return "revision", {**told, "written_at": self.now}


def planned_rows(plan: Plan, user_id: str, now: int) -> Iterator[Row]:
    maker = Maker(new_id(), user_id, now)
    revisions: list[Row] = []
    yield from _project(plan, maker, revisions)
    ids = {key: new_id() for key in plan.tasks}
    documents = {key: new_id() for key in plan.documents}
    yield from _tasks(plan, maker, ids, revisions)
    yield from _edges(plan, maker, ids)
    yield from _documents(plan, maker, ids, documents, revisions)
    yield from _comments(plan, maker, documents)
    yield from _runs(plan, maker)
    yield from revisions


def row_of(word: str, noun: Any) -> Row:
    """The exported columns of a noun; JSON as what it is, null left out."""
    values = noun._asdict()
    return word, {
        name: msgspec.Raw(values[name].encode()) if column.shape is not None else values[name]
        for name, column in BY_WORD[word].columns.items()
        if values[name] is not None
    }


def _project(plan: Plan, maker: Maker, revisions: list[Row]) -> Iterator[Row]:
    made = project.Project(
        id=maker.project_id,
        key=propose_key(plan.name, set()),
        name=plan.name[: limits.NAME_CHARS],
        description=plan.description,
        state="active",
        repository_url=plan.repository_url,
        last_ref=len(plan.tasks),
        **maker.made(),
    )
    yield row_of("project", made)
    revisions.append(maker.revision(made.id, revision_content.of_project(made)))
    for position, told in enumerate(plan.goals, 1):
        goal = project.Goal(new_id(), maker.project_id, told.title, told.description, position, **maker.made())
        yield row_of("goal", goal)
        revisions.append(maker.revision(goal.id, revision_content.of_goal(goal)))


def _tasks(plan: Plan, maker: Maker, ids: dict[str, str], revisions: list[Row]) -> Iterator[Row]:
    criteria: list[Row] = []
    for number, task in enumerate(plan.tasks.values(), 1):
        action = _action(task, number, ids[task.key], maker)
        own = [
            Criterion(new_id(), action.id, place, one.text, IMPLEMENTED if one.met else PENDING, 1, None)
            for place, one in enumerate(task.criteria, 1)
        ]
        yield row_of("action", action)
        criteria += [row_of("criterion", one) for one in own]
        revisions.append(maker.revision(action.id, revision_content.of_action(action, own)))
    yield from criteria


def _action(task: planned.Task, number: int, ident: str, maker: Maker) -> Action:
    return Action(
        id=ident,
        project_id=maker.project_id,
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
        **maker.made(task.created_at, task.updated_at),
    )


def _edges(plan: Plan, maker: Maker, ids: dict[str, str]) -> Iterator[Row]:
    for link in plan.links.values():
        source, target = ids[link.source], ids[link.target]
        first, after = order(link.label, source, target)
        made = Edge(
            new_id(), maker.project_id, source, target, link.label, link.style, first, after, maker.user_id, maker.now
        )
        yield row_of("edge", made)


def _documents(
    plan: Plan, maker: Maker, ids: dict[str, str], documents: dict[str, str], revisions: list[Row]
) -> Iterator[Row]:
    for told in plan.documents.values():
        document = Document(
            id=documents[told.key],
            project_id=maker.project_id,
            parent_id=documents.get(told.parent or ""),
            linked_action_id=ids.get(told.linked_task or ""),
            title=told.title,
            body=told.body,
            status_line=told.status_line,
            **maker.made(),
        )
        yield row_of("document", document)
        revisions.append(maker.revision(document.id, revision_content.of_document(document)))
    for one in plan.notes:
        note = Note(new_id(), maker.project_id, one.title, one.body, **maker.made())
        yield row_of("note", note)
        revisions.append(maker.revision(note.id, revision_content.of_note(note)))


def _comments(plan: Plan, maker: Maker, documents: dict[str, str]) -> Iterator[Row]:
    for told in plan.comments:
        start = plan.documents[told.document].body.find(told.passage) if told.passage else -1
        comment = Comment(
            id=new_id(),
            project_id=maker.project_id,
            document_id=documents[told.document],
            body=told.body,
            passage=told.passage,
            passage_start=start if start >= 0 else None,
            passage_lost=int(told.passage is not None and start < 0),
            author_id=maker.user_id,
            created_at=told.created_at or maker.now,
            resolved_by=maker.user_id if told.resolved else None,
            resolved_at=maker.now if told.resolved else None,
        )
        yield row_of("comment", comment)


def _runs(plan: Plan, maker: Maker) -> Iterator[Row]:
    for told in plan.runs:
        started = told.started_at or maker.now
        ended = max(started, told.ended_at or started)
        run = AgentRun(
            id=new_id(),
            project_id=maker.project_id,
            action_id=None,
            user_id=maker.user_id,
            label=told.label,
            model=None,
            status=RunStatus(told.status),
            tokens=None,
            cost_micros=None,
            result=told.result or None,
            started_at=started,
            last_at=ended,
            ended_at=ended,
        )
        yield row_of("run", run)
