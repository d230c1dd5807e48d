"""Exports of Plan Desk, versions 1 to 3: one JSON file with tasks, edges, documents and agent runs.

From version 2 on an edge names the kind of each end; before, it connected two tasks. Until version 2 a document named
one task; in version 3 it is an edge from the document to the task.
"""

import re
from itertools import chain
from typing import get_args

from pendesk.domain.edge import EdgeLabel
from pendesk.domain.errors import BadField
from pendesk.domain.exchange.html_text import html_to_markdown
from pendesk.domain.exchange.plan import (
    PRIORITIES,
    Comment,
    Document,
    Goal,
    ImportPlan,
    Note,
    Run,
    Task,
    TaskLink,
    append_fields_as_list,
    collapse_whitespace,
    move_title_overflow_to_text,
    parse_due_day,
    strip_control_characters,
    strip_controls_and_check_length,
)
from pendesk.domain.exchange.source import ImportFile, JsonObject, decode_json
from pendesk.domain.exchange.timestamps import parse_timestamp_us
from pendesk.domain.label import acceptable_labels
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
# What is under way needs somebody who holds it, or submitted it: whoever imports.
UNKNOWN_STATUS = "which is not known; it becomes backlog."
UNDER_WAY = {
    "in_progress": "is in_progress; you hold it here until you move it.",
    "in_review": "is in_review; it waits for a review here.",
}
_BACK_QUOTES = re.compile("`+")
RUNS = {"completed": "completed", "failed": "failed", "running": "failed"}


def read_plan_desk_export(files: list[ImportFile]) -> ImportPlan:
    if len(files) != 1:
        raise BadField("", "Name one file: a Plan Desk export is one JSON file.")
    top = JsonObject(files[0].name, decode_json(files[0]))
    version = top.required_text("version")
    if version not in VERSIONS:
        raise top.field_error("version", f"is {version[:40]!r}; this server reads {', '.join(VERSIONS)}.")
    reader = _PlanDeskReader(top)
    reader.fill_import_plan()
    return reader.plan.repair_task_links()


class _PlanDeskReader:
    def __init__(self, top: JsonObject) -> None:
        self._top = top
        project = top.child("project")
        if project is None:
            raise top.field_error("project", "is required.")
        name, text = move_title_overflow_to_text(
            ImportPlan(""), project.location, project.required_text("name"), "", NAME_CHARS
        )
        self.plan = ImportPlan(name)
        self.plan.feeds_link_parts = False
        facts = {"Folder": project.text("folder_path")}
        text = "\n\n".join(filter(None, (text, project.text("description"))))
        self.plan.description = strip_controls_and_check_length(
            project.location, "description", append_fields_as_list(text, facts)
        )
        self.plan.repository_url = _text_if_http_url(project.text("repo_url"))
        self._tags = {
            tag.required_text("id"): collapse_whitespace(tag.text("name")) for tag in top.iter_objects_in_list("tags")
        }
        self._goals: dict[str, str] = {}
        self._folders = {
            folder.required_text("id"): collapse_whitespace(folder.text("name"))
            for folder in top.iter_objects_in_list("folders")
        }

    def fill_import_plan(self) -> None:
        for goal in self._top.iter_objects_in_list("goals"):
            self._add_goal(goal)
        for task in self._top.iter_objects_in_list("tasks"):
            self._add_task(task)
        linked = self._add_links_and_get_document_task_ids()
        for document in self._top.iter_objects_in_list("documents"):
            self._add_document_with_linked_tasks(document, linked)
        for note in self._top.iter_objects_in_list("notes"):
            title, body = move_title_overflow_to_text(
                self.plan, note.location, note.text("title"), _html_field_as_markdown(note, "body")
            )
            self.plan.notes.append(Note(title, strip_controls_and_check_length(note.location, "body", body)))
        for artifact in self._top.iter_objects_in_list("artifacts"):
            self._add_artifact_as_document(artifact)
        for comment in chain(
            self._top.iter_objects_in_list("comments"), self._top.iter_objects_in_list("document_comments")
        ):
            self._add_comment(comment)
        for run in self._top.iter_objects_in_list("agent_runs"):
            self._add_agent_run(run)
        self._warn_about_unsupported_items()

    def _add_goal(self, goal: JsonObject) -> None:
        names = ("status", "verification_surface", "constraints", "boundaries", "iteration_policy", "stop_condition",
                 "budget", "last_verification")  # fmt: skip
        facts = {name.replace("_", " ").capitalize(): goal.text(name) for name in names}
        title, text = move_title_overflow_to_text(self.plan, goal.location, goal.required_text("objective"), "")
        self._goals[goal.required_text("id")] = title
        self.plan.goals.append(
            Goal(title, strip_controls_and_check_length(goal.location, "objective", append_fields_as_list(text, facts)))
        )

    def _add_task(self, task: JsonObject) -> None:
        status = task.required_text("status")
        facts: dict[str, str] = {}
        if status not in STATES:
            self.plan.add_warning(f"{task.location}, status", f"is {status[:40]!r}, {UNKNOWN_STATUS}")
            facts["Status"] = status
        elif status in UNDER_WAY:
            self.plan.add_warning(f"{task.location}, status", UNDER_WAY[status])
        tags = [self._tags.get(str(value), str(value)) for value in task.list_items("tag_ids")]
        kind, priority = task.text("kind"), task.text("priority").lower()
        assignee, due_on = collapse_whitespace(task.text("assignee"))[:NAME_CHARS], parse_due_day(task.text("due_date"))
        facts |= {
            "Due": task.text("due_date") if due_on is None else "",
            "Kind": kind if kind != "task" else "",
            "Priority": priority if priority not in PRIORITIES else "",
            "Goal": self._goals.get(task.text("goal_id"), ""),
            "Tags": ", ".join(tags) if len(acceptable_labels(tags)) < len(tags) else "",
            "Commits": ", ".join(str(value) for value in task.list_items("commit_refs")),
        }
        label, text = move_title_overflow_to_text(
            self.plan, task.location, task.text("label"), _html_field_as_markdown(task, "description")
        )
        self.plan.add_task(
            Task(
                key=task.required_text("id"),
                location=task.location,
                label=label,
                description=strip_controls_and_check_length(
                    task.location, "description", append_fields_as_list(text, facts)
                ),
                state=STATES.get(status, "backlog"),
                state_reason="Not wanted in Plan Desk." if status == "wont_do" else None,
                priority=PRIORITIES.get(priority, 0),
                area=tags[0][:AREA_CHARS] if tags else "",
                x=_read_valid_coordinate(task, "x"),
                y=_read_valid_coordinate(task, "y"),
                created_at=parse_timestamp_us(task.text("created_at")),
                updated_at=parse_timestamp_us(task.text("updated_at")),
                assignee_names=(assignee,) if assignee else (),
                due_on=due_on,
                labels=tuple(tags),
                state_under_way=status if status in UNDER_WAY else None,
                group=facts["Goal"] or (tags[0] if tags else ""),
            )
        )

    def _add_links_and_get_document_task_ids(self) -> dict[str, list[str]]:
        """The edges between tasks become links; those of documents are given back: document -> tasks."""
        linked: dict[str, list[str]] = {}
        for edge in self._top.iter_objects_in_list("edges"):
            source, target = (
                edge.text("from_id") or edge.text("from_task_id"),
                edge.text("to_id") or edge.text("to_task_id"),
            )
            kinds = edge.text("from_type", "task"), edge.text("to_type", "task")
            if kinds == ("task", "task"):
                self._add_task_link(edge, source, target)
            elif set(kinds) == {"task", "document"}:
                document, task = (source, target) if kinds[0] == "document" else (target, source)
                linked.setdefault(document, []).append(task)
            else:
                self.plan.add_warning(edge.location, f"connects {kinds[0]} and {kinds[1]}; the link is left out.")
        return linked

    def _add_task_link(self, edge: JsonObject, source: str, target: str) -> None:
        label = edge.text("label")
        if label and label not in LABELS:
            self.plan.add_warning(
                f"{edge.location}, label", f"is {label[:40]!r}, which is not known; the edge becomes supports."
            )
        style = collapse_whitespace(edge.text("style"))[:LABEL_CHARS] or None
        self.plan.add_task_link(
            TaskLink(source, target, label if label in LABELS else "supports", edge.location, style)
        )

    def _add_document_with_linked_tasks(
        self, document: JsonObject, linked_task_ids_by_document_id: dict[str, list[str]]
    ) -> None:
        key = document.required_text("id")
        tasks = linked_task_ids_by_document_id.get(key, []) + [
            task for task in [document.text("linked_task_id")] if task
        ]
        known_tasks = [task for task in dict.fromkeys(tasks) if task in self.plan.tasks]
        title, text = move_title_overflow_to_text(
            self.plan, document.location, document.text("title"), _html_field_as_markdown(document, "body")
        )
        facts = {
            "Folder": self._folders.get(document.text("folder_id"), ""),
            "Also about": ", ".join(self.plan.tasks[task].label for task in known_tasks[1:]),
        }
        self.plan.add_document(
            Document(
                key,
                document.location,
                title,
                strip_controls_and_check_length(document.location, "body", append_fields_as_list(text, facts)),
                collapse_whitespace(document.text("status_line"))[:LABEL_CHARS],
                document.text("parent_id") or None,
                known_tasks[0] if known_tasks else None,
            )
        )

    def _add_artifact_as_document(self, artifact: JsonObject) -> None:
        title, _ = move_title_overflow_to_text(self.plan, artifact.location, artifact.text("title"), "")
        kind, content = collapse_whitespace(artifact.text("kind")), strip_control_characters(artifact.text("content"))
        longest = max(map(len, _BACK_QUOTES.findall(content)), default=0)
        fence = "`" * max(3, longest + 1)
        body = strip_controls_and_check_length(artifact.location, "content", f"{fence}{kind}\n{content}\n{fence}")
        self.plan.add_document(Document(artifact.required_text("id"), artifact.location, title, body, "Artifact"))
        self.plan.add_warning(artifact.location, f"the artifact {title!r} becomes a document with its source in it.")

    def _add_comment(self, comment: JsonObject) -> None:
        document_key = comment.text("document_id") or comment.text("target_id")
        body = strip_controls_and_check_length(comment.location, "body", _html_field_as_markdown(comment, "body"))
        if document_key not in self.plan.documents:
            kind = comment.text("target_type", "document")
            self.plan.notes.append(Note(f"A comment on a {kind}"[:LABEL_CHARS], body))
            self.plan.add_warning(comment.location, f"is about a {kind}; it becomes a note.")
            return
        passage = strip_control_characters(comment.text("passage"))[:PASSAGE_CHARS] or None
        when = parse_timestamp_us(comment.text("created_at"))
        self.plan.comments.append(Comment(document_key, body or "(empty)", passage, comment.boolean("resolved"), when))

    def _add_agent_run(self, run: JsonObject) -> None:
        status = run.text("status")
        events = [
            f"{event.text('created_at')} {collapse_whitespace(event.text('message'))}"
            for event in run.iter_objects_in_list("events")
        ]
        label, text = move_title_overflow_to_text(
            self.plan, run.location, run.text("label") or "An agent's run", "\n".join(events)
        )
        if status not in ("completed", "failed"):
            self.plan.add_warning(
                f"{run.location}, status", f"is {status[:40]!r}; the run counts as failed, as it goes on nowhere."
            )
        started, ended = parse_timestamp_us(run.text("started_at")), parse_timestamp_us(run.text("completed_at"))
        result = strip_controls_and_check_length(run.location, "events", text)
        self.plan.runs.append(Run(label, RUNS.get(status, "failed"), result, started, ended))

    def _warn_about_unsupported_items(self) -> None:
        for file in self._top.iter_objects_in_list("files"):
            address = file.text("external_url")
            location = f" It lies at {address}." if address else ""
            name = collapse_whitespace(file.text("filename"))[:LABEL_CHARS]
            self.plan.add_warning(
                file.location, f"the file {name!r} is left out: files belong to specs here.{location}"
            )
        for name in ("views", "prototypes"):
            count = len(self._top.list_items(name))
            if count:
                self.plan.add_warning(
                    f"{self._top.location}, {name}", f"{count} are left out: there is no such thing here."
                )


def _html_field_as_markdown(fields: JsonObject, name: str) -> str:
    return html_to_markdown(
        strip_controls_and_check_length(fields.location, name, fields.text(name), FOREIGN_TEXT_CHARS)
    )


def _read_valid_coordinate(fields: JsonObject, name: str) -> float | None:
    value = fields.number(name)
    return value if value is not None and -1e7 <= value <= 1e7 else None


def _text_if_http_url(text: str) -> str | None:
    return text if text.startswith(("https://", "http://")) and " " not in text and len(text) <= 2_000 else None
