"""Exports of Plan Desk, versions 1 to 3: one JSON file with tasks, edges, documents and agent runs.

From version 2 on an edge names the kind of each end; before, it connected two tasks. Until version 2 a document named
one task; in version 3 it is an edge from the document to the task.
"""

import re
from itertools import chain
from typing import get_args

from pendesk.domain.edge import EdgeLabel
from pendesk.domain.errors import BadField
from pendesk.domain.exchange.html_text import markdown_of
from pendesk.domain.exchange.plan import (
    PRIORITIES,
    Comment,
    Document,
    Goal,
    Link,
    Note,
    Plan,
    Run,
    Task,
    check_length,
    clean,
    one_line,
    split_title,
    with_facts,
)
from pendesk.domain.exchange.source import Fields, SourceFile, json_of
from pendesk.domain.exchange.timestamps import parse_time
from pendesk.domain.limits import AREA_CHARS, FOREIGN_TEXT_CHARS, LABEL_CHARS, NAME_CHARS, PASSAGE_CHARS

VERSIONS = ("plandesk-export-v1", "plandesk-export-v2", "plandesk-export-v3")
LABELS = get_args(EdgeLabel)
STATES = {
    "backlog": "backlog",
    "scope": "scope",
    "todo": "todo",
    "in_progress": "todo",
    "in_review": "todo",
    "done": "done",
    "wont_do": "wont_do",
}
UNDER_WAY = ("in_progress", "in_review")
_BACK_QUOTES = re.compile("`+")
RUNS = {"completed": "completed", "failed": "failed", "running": "failed"}


def read_plan_desk(files: list[SourceFile]) -> Plan:
    if len(files) != 1:
        raise BadField("", "Name one file: a Plan Desk export is one JSON file.")
    top = Fields(files[0].name, json_of(files[0]))
    version = top.required("version")
    if version not in VERSIONS:
        raise top.field_fault("version", f"is {version[:40]!r}; this server reads {', '.join(VERSIONS)}.")
    reader = _Reader(top)
    reader.read()
    return reader.plan.conclude()


class _Reader:
    def __init__(self, top: Fields) -> None:
        self._top = top
        project = top.inner("project")
        if project is None:
            raise top.field_fault("project", "is required.")
        name, text = split_title(Plan(""), project.where, project.required("name"), "", NAME_CHARS)
        self.plan = Plan(name)
        facts = {"Folder": project.text("folder_path")}
        text = "\n\n".join(filter(None, (text, project.text("description"))))
        self.plan.description = check_length(project.where, "description", with_facts(text, facts))
        self.plan.repository_url = _address(project.text("repo_url"))
        self._tags = {tag.required("id"): one_line(tag.text("name")) for tag in top.objects("tags")}
        self._goals: dict[str, str] = {}
        self._folders = {folder.required("id"): one_line(folder.text("name")) for folder in top.objects("folders")}

    def read(self) -> None:
        for goal in self._top.objects("goals"):
            self._goal(goal)
        for task in self._top.objects("tasks"):
            self._task(task)
        linked = self._edges()
        for document in self._top.objects("documents"):
            self._document(document, linked)
        for note in self._top.objects("notes"):
            title, body = split_title(self.plan, note.where, note.text("title"), _markdown(note, "body"))
            self.plan.notes.append(Note(title, check_length(note.where, "body", body)))
        for artifact in self._top.objects("artifacts"):
            self._artifact(artifact)
        for comment in chain(self._top.objects("comments"), self._top.objects("document_comments")):
            self._comment(comment)
        for run in self._top.objects("agent_runs"):
            self._run(run)
        self._left_out()

    def _goal(self, goal: Fields) -> None:
        names = ("status", "verification_surface", "constraints", "boundaries", "iteration_policy", "stop_condition",
                 "budget", "last_verification")  # fmt: skip
        facts = {name.replace("_", " ").capitalize(): goal.text(name) for name in names}
        title, text = split_title(self.plan, goal.where, goal.required("objective"), "")
        self._goals[goal.required("id")] = title
        self.plan.goals.append(Goal(title, check_length(goal.where, "objective", with_facts(text, facts))))

    def _task(self, task: Fields) -> None:
        status = task.required("status")
        facts: dict[str, str] = {}
        if status not in STATES:
            self.plan.warn(f"{task.where}, status", f"is {status[:40]!r}, which is not known; it becomes backlog.")
            facts["Status"] = status
        elif status in UNDER_WAY:
            self.plan.warn(f"{task.where}, status", f"is {status}; it becomes todo, as nobody holds it here.")
            facts["Status"] = status
        tags = [self._tags.get(str(value), str(value)) for value in task.items("tag_ids")]
        kind, priority = task.text("kind"), task.text("priority").lower()
        facts |= {
            "Assignee": task.text("assignee"),
            "Due": task.text("due_date"),
            "Kind": kind if kind != "task" else "",
            "Priority": priority if priority not in PRIORITIES else "",
            "Goal": self._goals.get(task.text("goal_id"), ""),
            "Tags": ", ".join(tags) if len(tags) > 1 else "",
            "Commits": ", ".join(str(value) for value in task.items("commit_refs")),
        }
        label, text = split_title(self.plan, task.where, task.text("label"), _markdown(task, "description"))
        self.plan.add_task(
            Task(
                key=task.required("id"),
                where=task.where,
                label=label,
                description=check_length(task.where, "description", with_facts(text, facts)),
                state=STATES.get(status, "backlog"),
                state_reason="Not wanted in Plan Desk." if status == "wont_do" else None,
                priority=PRIORITIES.get(priority, 0),
                area=tags[0][:AREA_CHARS] if tags else "",
                x=_place(task, "x"),
                y=_place(task, "y"),
                created_at=parse_time(task.text("created_at")),
                updated_at=parse_time(task.text("updated_at")),
            )
        )

    def _edges(self) -> dict[str, list[str]]:
        """The edges between tasks become links; those of documents are given back: document -> tasks."""
        linked: dict[str, list[str]] = {}
        for edge in self._top.objects("edges"):
            source, target = (
                edge.text("from_id") or edge.text("from_task_id"),
                edge.text("to_id") or edge.text("to_task_id"),
            )
            kinds = edge.text("from_type", "task"), edge.text("to_type", "task")
            if kinds == ("task", "task"):
                self._link(edge, source, target)
            elif set(kinds) == {"task", "document"}:
                document, task = (source, target) if kinds[0] == "document" else (target, source)
                linked.setdefault(document, []).append(task)
            else:
                self.plan.warn(edge.where, f"connects {kinds[0]} and {kinds[1]}; the link is left out.")
        return linked

    def _link(self, edge: Fields, source: str, target: str) -> None:
        label = edge.text("label")
        if label and label not in LABELS:
            self.plan.warn(f"{edge.where}, label", f"is {label[:40]!r}, which is not known; the edge becomes supports.")
        style = one_line(edge.text("style"))[:LABEL_CHARS] or None
        self.plan.link(Link(source, target, label if label in LABELS else "supports", edge.where, style))

    def _document(self, document: Fields, linked: dict[str, list[str]]) -> None:
        key = document.required("id")
        tasks = linked.get(key, []) + [task for task in [document.text("linked_task_id")] if task]
        known_tasks = [task for task in dict.fromkeys(tasks) if task in self.plan.tasks]
        title, text = split_title(self.plan, document.where, document.text("title"), _markdown(document, "body"))
        facts = {
            "Folder": self._folders.get(document.text("folder_id"), ""),
            "Also about": ", ".join(self.plan.tasks[task].label for task in known_tasks[1:]),
        }
        self.plan.add_document(
            Document(
                key,
                document.where,
                title,
                check_length(document.where, "body", with_facts(text, facts)),
                one_line(document.text("status_line"))[:LABEL_CHARS],
                document.text("parent_id") or None,
                known_tasks[0] if known_tasks else None,
            )
        )

    def _artifact(self, artifact: Fields) -> None:
        title, _ = split_title(self.plan, artifact.where, artifact.text("title"), "")
        kind, content = one_line(artifact.text("kind")), clean(artifact.text("content"))
        longest = max(map(len, _BACK_QUOTES.findall(content)), default=0)
        fence = "`" * max(3, longest + 1)
        body = check_length(artifact.where, "content", f"{fence}{kind}\n{content}\n{fence}")
        self.plan.add_document(Document(artifact.required("id"), artifact.where, title, body, "Artifact"))
        self.plan.warn(artifact.where, f"the artifact {title!r} becomes a document with its source in it.")

    def _comment(self, comment: Fields) -> None:
        document_key = comment.text("document_id") or comment.text("target_id")
        body = check_length(comment.where, "body", _markdown(comment, "body"))
        if document_key not in self.plan.documents:
            kind = comment.text("target_type", "document")
            self.plan.notes.append(Note(f"A comment on a {kind}"[:LABEL_CHARS], body))
            self.plan.warn(comment.where, f"is about a {kind}; it becomes a note.")
            return
        passage = clean(comment.text("passage"))[:PASSAGE_CHARS] or None
        when = parse_time(comment.text("created_at"))
        self.plan.comments.append(Comment(document_key, body or "(empty)", passage, comment.flag("resolved"), when))

    def _run(self, run: Fields) -> None:
        status = run.text("status")
        events = [f"{event.text('created_at')} {one_line(event.text('message'))}" for event in run.objects("events")]
        label, text = split_title(self.plan, run.where, run.text("label") or "An agent's run", "\n".join(events))
        if status not in ("completed", "failed"):
            self.plan.warn(
                f"{run.where}, status", f"is {status[:40]!r}; the run counts as failed, as it goes on nowhere."
            )
        started, ended = parse_time(run.text("started_at")), parse_time(run.text("completed_at"))
        result = check_length(run.where, "events", text)
        self.plan.runs.append(Run(label, RUNS.get(status, "failed"), result, started, ended))

    def _left_out(self) -> None:
        for file in self._top.objects("files"):
            address = file.text("external_url")
            location = f" It lies at {address}." if address else ""
            name = one_line(file.text("filename"))[:LABEL_CHARS]
            self.plan.warn(file.where, f"the file {name!r} is left out: files belong to specs here.{location}")
        for name in ("views", "prototypes"):
            count = len(self._top.items(name))
            if count:
                self.plan.warn(f"{self._top.where}, {name}", f"{count} are left out: there is no such thing here.")


def _markdown(fields: Fields, name: str) -> str:
    return markdown_of(check_length(fields.where, name, fields.text(name), FOREIGN_TEXT_CHARS))


def _place(fields: Fields, name: str) -> float | None:
    value = fields.number(name)
    return value if value is not None and -1e7 <= value <= 1e7 else None


def _address(text: str) -> str | None:
    return text if text.startswith(("https://", "http://")) and " " not in text and len(text) <= 2_000 else None
