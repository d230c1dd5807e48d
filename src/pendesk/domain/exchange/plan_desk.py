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
from pendesk.domain.exchange.moments import moment
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
    clean,
    fitting,
    one_line,
    titled,
    with_facts,
)
from pendesk.domain.exchange.source import Fields, SourceFile, json_of
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
        raise top.wrong("version", f"is {version[:40]!r}; this server reads {', '.join(VERSIONS)}.")
    reader = _Reader(top)
    reader.read()
    return reader.plan.conclude()


class _Reader:
    def __init__(self, top: Fields) -> None:
        self._top = top
        project = top.inner("project")
        if project is None:
            raise top.wrong("project", "is required.")
        name, text = titled(Plan(""), project.where, project.required("name"), "", NAME_CHARS)
        self.plan = Plan(name)
        facts = {"Folder": project.text("folder_path")}
        text = "\n\n".join(filter(None, (text, project.text("description"))))
        self.plan.description = fitting(project.where, "description", with_facts(text, facts))
        self.plan.repository_url = _address(project.text("repo_url"))
        self._tags = {tag.required("id"): one_line(tag.text("name")) for tag in top.objects("tags")}
        self._goals: dict[str, str] = {}
        self._folders = {one.required("id"): one_line(one.text("name")) for one in top.objects("folders")}

    def read(self) -> None:
        for goal in self._top.objects("goals"):
            self._goal(goal)
        for task in self._top.objects("tasks"):
            self._task(task)
        linked = self._edges()
        for document in self._top.objects("documents"):
            self._document(document, linked)
        for note in self._top.objects("notes"):
            title, body = titled(self.plan, note.where, note.text("title"), _markdown(note, "body"))
            self.plan.notes.append(Note(title, fitting(note.where, "body", body)))
        for artifact in self._top.objects("artifacts"):
            self._artifact(artifact)
        for comment in chain(self._top.objects("comments"), self._top.objects("document_comments")):
            self._comment(comment)
        for run in self._top.objects("agent_runs"):
            self._run(run)
        self._left_out()

    def _goal(self, told: Fields) -> None:
        names = ("status", "verification_surface", "constraints", "boundaries", "iteration_policy", "stop_condition",
                 "budget", "last_verification")  # fmt: skip
        facts = {name.replace("_", " ").capitalize(): told.text(name) for name in names}
        title, text = titled(self.plan, told.where, told.required("objective"), "")
        self._goals[told.required("id")] = title
        self.plan.goals.append(Goal(title, fitting(told.where, "objective", with_facts(text, facts))))

    def _task(self, told: Fields) -> None:
        status = told.required("status")
        facts: dict[str, str] = {}
        if status not in STATES:
            self.plan.warn(f"{told.where}, status", f"is {status[:40]!r}, which is not known; it becomes backlog.")
            facts["Status"] = status
        elif status in UNDER_WAY:
            self.plan.warn(f"{told.where}, status", f"is {status}; it becomes todo, as nobody holds it here.")
            facts["Status"] = status
        tags = [self._tags.get(str(each), str(each)) for each in told.items("tag_ids")]
        kind, priority = told.text("kind"), told.text("priority").lower()
        facts |= {
            "Assignee": told.text("assignee"),
            "Due": told.text("due_date"),
            "Kind": kind if kind != "task" else "",
            "Priority": priority if priority not in PRIORITIES else "",
            "Goal": self._goals.get(told.text("goal_id"), ""),
            "Tags": ", ".join(tags) if len(tags) > 1 else "",
            "Commits": ", ".join(str(each) for each in told.items("commit_refs")),
        }
        label, text = titled(self.plan, told.where, told.text("label"), _markdown(told, "description"))
        self.plan.add_task(
            Task(
                key=told.required("id"),
                where=told.where,
                label=label,
                description=fitting(told.where, "description", with_facts(text, facts)),
                state=STATES.get(status, "backlog"),
                state_reason="Not wanted in Plan Desk." if status == "wont_do" else None,
                priority=PRIORITIES.get(priority, 0),
                area=tags[0][:AREA_CHARS] if tags else "",
                x=_place(told, "x"),
                y=_place(told, "y"),
                created_at=moment(told.text("created_at")),
                updated_at=moment(told.text("updated_at")),
            )
        )

    def _edges(self) -> dict[str, list[str]]:
        """The edges between tasks become links; those of documents are given back: document -> tasks."""
        linked: dict[str, list[str]] = {}
        for told in self._top.objects("edges"):
            source, target = (
                told.text("from_id") or told.text("from_task_id"),
                told.text("to_id") or told.text("to_task_id"),
            )
            kinds = told.text("from_type", "task"), told.text("to_type", "task")
            if kinds == ("task", "task"):
                self._link(told, source, target)
            elif set(kinds) == {"task", "document"}:
                document, task = (source, target) if kinds[0] == "document" else (target, source)
                linked.setdefault(document, []).append(task)
            else:
                self.plan.warn(told.where, f"connects {kinds[0]} and {kinds[1]}; the link is left out.")
        return linked

    def _link(self, told: Fields, source: str, target: str) -> None:
        label = told.text("label")
        if label and label not in LABELS:
            self.plan.warn(f"{told.where}, label", f"is {label[:40]!r}, which is not known; the edge becomes supports.")
        style = one_line(told.text("style"))[:LABEL_CHARS] or None
        self.plan.link(Link(source, target, label if label in LABELS else "supports", told.where, style))

    def _document(self, told: Fields, linked: dict[str, list[str]]) -> None:
        key = told.required("id")
        tasks = linked.get(key, []) + [task for task in [told.text("linked_task_id")] if task]
        known = [task for task in dict.fromkeys(tasks) if task in self.plan.tasks]
        title, text = titled(self.plan, told.where, told.text("title"), _markdown(told, "body"))
        facts = {
            "Folder": self._folders.get(told.text("folder_id"), ""),
            "Also about": ", ".join(self.plan.tasks[task].label for task in known[1:]),
        }
        self.plan.add_document(
            Document(
                key,
                told.where,
                title,
                fitting(told.where, "body", with_facts(text, facts)),
                one_line(told.text("status_line"))[:LABEL_CHARS],
                told.text("parent_id") or None,
                known[0] if known else None,
            )
        )

    def _artifact(self, told: Fields) -> None:
        title, _ = titled(self.plan, told.where, told.text("title"), "")
        kind, content = one_line(told.text("kind")), clean(told.text("content"))
        longest = max(map(len, _BACK_QUOTES.findall(content)), default=0)
        fence = "`" * max(3, longest + 1)
        body = fitting(told.where, "content", f"{fence}{kind}\n{content}\n{fence}")
        self.plan.add_document(Document(told.required("id"), told.where, title, body, "Artifact"))
        self.plan.warn(told.where, f"the artifact {title!r} becomes a document with its source in it.")

    def _comment(self, told: Fields) -> None:
        document = told.text("document_id") or told.text("target_id")
        body = fitting(told.where, "body", _markdown(told, "body"))
        if document not in self.plan.documents:
            kind = told.text("target_type", "document")
            self.plan.notes.append(Note(f"A comment on a {kind}"[:LABEL_CHARS], body))
            self.plan.warn(told.where, f"is about a {kind}; it becomes a note.")
            return
        passage = clean(told.text("passage"))[:PASSAGE_CHARS] or None
        when = moment(told.text("created_at"))
        self.plan.comments.append(Comment(document, body or "(empty)", passage, told.flag("resolved"), when))

    def _run(self, told: Fields) -> None:
        status = told.text("status")
        events = [f"{event.text('created_at')} {one_line(event.text('message'))}" for event in told.objects("events")]
        label, text = titled(self.plan, told.where, told.text("label") or "An agent's run", "\n".join(events))
        if status not in ("completed", "failed"):
            self.plan.warn(
                f"{told.where}, status", f"is {status[:40]!r}; the run counts as failed, as it goes on nowhere."
            )
        started, ended = moment(told.text("started_at")), moment(told.text("completed_at"))
        result = fitting(told.where, "events", text)
        self.plan.runs.append(Run(label, RUNS.get(status, "failed"), result, started, ended))

    def _left_out(self) -> None:
        for file in self._top.objects("files"):
            address = file.text("external_url")
            told = f" It lies at {address}." if address else ""
            name = one_line(file.text("filename"))[:LABEL_CHARS]
            self.plan.warn(file.where, f"the file {name!r} is left out: files belong to specs here.{told}")
        for name in ("views", "prototypes"):
            count = len(self._top.items(name))
            if count:
                self.plan.warn(f"{self._top.where}, {name}", f"{count} are left out: there is no such thing here.")


def _markdown(told: Fields, name: str) -> str:
    return markdown_of(fitting(told.where, name, told.text(name), FOREIGN_TEXT_CHARS))


def _place(told: Fields, name: str) -> float | None:
    value = told.number(name)
    return value if value is not None and -1e7 <= value <= 1e7 else None


def _address(text: str) -> str | None:
    return text if text.startswith(("https://", "http://")) and " " not in text and len(text) <= 2_000 else None
