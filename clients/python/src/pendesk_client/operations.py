"""One method for every operation that a token may call, sync and async."""
# Generated from the server's routes by scripts/write_client.py: run `make client` instead of editing it.

from collections.abc import AsyncIterator, Iterator
from typing import Literal, TypeVar

from pendesk_client import models
from pendesk_client.request import Request, new_idempotency_key

T = TypeVar("T")


class Operations:
    def _send(self, request: Request[T]) -> T:
        raise NotImplementedError

    def list_projects(self, *, cursor: str | None = None) -> models.Projects:
        """List projects. GET /projects"""
        return self._send(Request("GET", "/projects", {"cursor": cursor}, models.Projects))

    def iter_projects(self) -> Iterator[models.ProjectRow]:
        """All items, page after page."""
        page = self.list_projects()
        while True:
            yield from page.projects
            if page.next_cursor is None:
                return
            page = self.list_projects(cursor=page.next_cursor)

    def create_project(
        self,
        name: str,
        *,
        description: str | None = None,
        key: str | None = None,
        repository_url: str | None = None,
        state: Literal["active", "archived", "complete", "draft", "paused"] | None = None,
        idempotency_key: str | None = None,
    ) -> models.ProjectResult:
        """Create a project. POST /projects"""
        return self._send(
            Request(
                "POST",
                "/projects",
                {
                    "name": name,
                    "description": description,
                    "key": key,
                    "repository_url": repository_url,
                    "state": state,
                },
                models.ProjectResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def scaffold_project_from_plan(
        self,
        name: str,
        tasks: list[models.TaskOfPlan],
        *,
        description: str | None = None,
        edges: list[models.EdgeOfPlan] | None = None,
        documents: list[models.DocumentOfPlan] | None = None,
        idempotency_key: str | None = None,
    ) -> models.Scaffolded:
        """Create a project from a plan. POST /projects/scaffold"""
        return self._send(
            Request(
                "POST",
                "/projects/scaffold",
                {"name": name, "tasks": tasks, "description": description, "edges": edges, "documents": documents},
                models.Scaffolded,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def load_sample(self) -> models.SampleLoaded:
        """Load the sample project. POST /projects/sample"""
        return self._send(Request("POST", "/projects/sample", {}, models.SampleLoaded))

    def get_overview(self) -> models.Overview:
        """See the desk at a glance. GET /overview"""
        return self._send(Request("GET", "/overview", {}, models.Overview))

    def list_project_cards(self, *, cursor: str | None = None) -> models.ProjectCards:
        """See how far each project is. GET /projects/cards"""
        return self._send(Request("GET", "/projects/cards", {"cursor": cursor}, models.ProjectCards))

    def iter_project_cards(self) -> Iterator[models.ProjectCard]:
        """All items, page after page."""
        page = self.list_project_cards()
        while True:
            yield from page.projects
            if page.next_cursor is None:
                return
            page = self.list_project_cards(cursor=page.next_cursor)

    def get_project(
        self,
        project_id: str,
        *,
        status: Literal["backlog", "scope", "todo", "in_progress", "in_review", "done", "wont_do"] | None = None,
        cursor: str | None = None,
        rest: str | None = None,
    ) -> models.WholeProject:
        """Read a project. GET /projects/{project_id}"""
        return self._send(
            Request(
                "GET",
                "/projects/{project_id}",
                {"project_id": project_id, "status": status, "cursor": cursor, "rest": rest},
                models.WholeProject,
            )
        )

    def get_board(
        self,
        project_id: str,
        *,
        query: str | None = None,
        area: str | None = None,
        holder: str | None = None,
        spec_id: str | None = None,
        mark: Literal["blocked", "changes", "expired", "waiting"] | None = None,
        assignee: str | None = None,
        label: str | None = None,
        due: Literal["none", "overdue", "week"] | None = None,
        order: Literal["due", "newest", "priority", "ref"] | None = None,
        group: Literal["agent", "label", "person", "spec"] | None = None,
        shown: str | None = None,
    ) -> models.Board:
        """See a project as a board. GET /projects/{project_id}/board"""
        return self._send(
            Request(
                "GET",
                "/projects/{project_id}/board",
                {
                    "project_id": project_id,
                    "query": query,
                    "area": area,
                    "holder": holder,
                    "spec_id": spec_id,
                    "mark": mark,
                    "assignee": assignee,
                    "label": label,
                    "due": due,
                    "order": order,
                    "group": group,
                    "shown": shown,
                },
                models.Board,
            )
        )

    def get_flow(
        self,
        project_id: str,
        *,
        spec_id: str | None = None,
        done: Literal["hidden", "shown"] | None = None,
        group: Literal["action", "spec"] | None = None,
    ) -> models.Flow:
        """See a project as a graph. GET /projects/{project_id}/flow"""
        return self._send(
            Request(
                "GET",
                "/projects/{project_id}/flow",
                {"project_id": project_id, "spec_id": spec_id, "done": done, "group": group},
                models.Flow,
            )
        )

    def list_cards(
        self,
        project_id: str,
        *,
        query: str | None = None,
        area: str | None = None,
        holder: str | None = None,
        spec_id: str | None = None,
        mark: Literal["blocked", "changes", "expired", "waiting"] | None = None,
        assignee: str | None = None,
        label: str | None = None,
        due: Literal["none", "overdue", "week"] | None = None,
        order: Literal["due", "label", "newest", "priority", "ref", "state"] | None = None,
        state: Literal["backlog", "scope", "todo", "in_progress", "in_review", "changes_requested", "done", "wont_do"]
        | None = None,
    ) -> models.Cards:
        """See a project as a list. GET /projects/{project_id}/cards"""
        return self._send(
            Request(
                "GET",
                "/projects/{project_id}/cards",
                {
                    "project_id": project_id,
                    "query": query,
                    "area": area,
                    "holder": holder,
                    "spec_id": spec_id,
                    "mark": mark,
                    "assignee": assignee,
                    "label": label,
                    "due": due,
                    "order": order,
                    "state": state,
                },
                models.Cards,
            )
        )

    def list_agents(self) -> models.Agents:
        """List agents. GET /agents"""
        return self._send(Request("GET", "/agents", {}, models.Agents))

    def list_messages(
        self,
        *,
        agent_session_id: str | None = None,
        action_pid: str | None = None,
        project_id: str | None = None,
        cursor: str | None = None,
    ) -> models.Messages:
        """List messages to agents. GET /messages"""
        return self._send(
            Request(
                "GET",
                "/messages",
                {
                    "agent_session_id": agent_session_id,
                    "action_pid": action_pid,
                    "project_id": project_id,
                    "cursor": cursor,
                },
                models.Messages,
            )
        )

    def get_session_activity(self, agent_session_id: str, *, cursor: str | None = None) -> models.SessionActivity:
        """Read what an agent session does. GET /agent-sessions/{agent_session_id}/activity"""
        return self._send(
            Request(
                "GET",
                "/agent-sessions/{agent_session_id}/activity",
                {"agent_session_id": agent_session_id, "cursor": cursor},
                models.SessionActivity,
            )
        )

    def update_project(
        self,
        project_id: str,
        *,
        name: str | None = None,
        description: str | None = None,
        state: Literal["active", "archived", "complete", "draft", "paused"] | None = None,
        repository_url: str | None = None,
        require_evidence: bool | None = None,
        refuse_overlap: bool | None = None,
        expected_revision: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.UpdatedProject:
        """Edit a project. PATCH /projects/{project_id}"""
        return self._send(
            Request(
                "PATCH",
                "/projects/{project_id}",
                {
                    "project_id": project_id,
                    "name": name,
                    "description": description,
                    "state": state,
                    "repository_url": repository_url,
                    "require_evidence": require_evidence,
                    "refuse_overlap": refuse_overlap,
                    "expected_revision": expected_revision,
                },
                models.UpdatedProject,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def get_canvas(self, project_id: str) -> models.Canvas:
        """Read a project's canvas. GET /projects/{project_id}/canvas"""
        return self._send(Request("GET", "/projects/{project_id}/canvas", {"project_id": project_id}, models.Canvas))

    def put_canvas(
        self,
        project_id: str,
        *,
        nodes: list[models.PlacedNode] | None = None,
        layout: Literal["automatic", "manual"] | None = None,
        idempotency_key: str | None = None,
    ) -> models.Canvas:
        """Move tasks on the canvas. PUT /projects/{project_id}/canvas"""
        return self._send(
            Request(
                "PUT",
                "/projects/{project_id}/canvas",
                {"project_id": project_id, "nodes": nodes, "layout": layout},
                models.Canvas,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def get_next_task(
        self, project_id: str, *, take: bool | None = None, idempotency_key: str | None = None
    ) -> models.NextTask:
        """What to do next. GET /projects/{project_id}/next-task"""
        return self._send(
            Request(
                "GET",
                "/projects/{project_id}/next-task",
                {"project_id": project_id, "take": take},
                models.NextTask,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def list_tasks(
        self,
        project_id: str,
        *,
        status: Literal["backlog", "scope", "todo", "in_progress", "in_review", "done", "wont_do"] | None = None,
        label: str | None = None,
        assignee: str | None = None,
        text: str | None = None,
        cursor: str | None = None,
    ) -> models.Tasks:
        """List tasks. GET /projects/{project_id}/tasks"""
        return self._send(
            Request(
                "GET",
                "/projects/{project_id}/tasks",
                {
                    "project_id": project_id,
                    "status": status,
                    "label": label,
                    "assignee": assignee,
                    "text": text,
                    "cursor": cursor,
                },
                models.Tasks,
            )
        )

    def create_task(
        self,
        project_id: str,
        label: str,
        *,
        status: Literal["backlog", "scope", "todo", "in_progress", "in_review", "done", "wont_do"] | None = None,
        description: str | None = None,
        x: float | None = None,
        y: float | None = None,
        priority: Literal["high", "low", "medium", "none", "urgent"] | int | None = None,
        assignee: str | None = None,
        due: str | None = None,
        labels: list[str] | None = None,
        idempotency_key: str | None = None,
    ) -> models.Task:
        """Create a task. POST /projects/{project_id}/tasks"""
        return self._send(
            Request(
                "POST",
                "/projects/{project_id}/tasks",
                {
                    "project_id": project_id,
                    "label": label,
                    "status": status,
                    "description": description,
                    "x": x,
                    "y": y,
                    "priority": priority,
                    "assignee": assignee,
                    "due": due,
                    "labels": labels,
                },
                models.Task,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def get_task(self, task_id: str, *, rest: str | None = None) -> models.WholeTask:
        """Read a task. GET /tasks/{task_id}"""
        return self._send(Request("GET", "/tasks/{task_id}", {"task_id": task_id, "rest": rest}, models.WholeTask))

    def update_task(
        self,
        task_id: str,
        *,
        status: Literal["backlog", "scope", "todo", "in_progress", "in_review", "done", "wont_do"] | None = None,
        label: str | None = None,
        description: str | None = None,
        x: float | None = None,
        y: float | None = None,
        reason: str | None = None,
        priority: Literal["high", "low", "medium", "none", "urgent"] | int | None = None,
        assignee: str | None = None,
        due: str | None = None,
        labels: list[str] | None = None,
        expected_revision: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.Task:
        """Edit or move a task. PATCH /tasks/{task_id}"""
        return self._send(
            Request(
                "PATCH",
                "/tasks/{task_id}",
                {
                    "task_id": task_id,
                    "status": status,
                    "label": label,
                    "description": description,
                    "x": x,
                    "y": y,
                    "reason": reason,
                    "priority": priority,
                    "assignee": assignee,
                    "due": due,
                    "labels": labels,
                    "expected_revision": expected_revision,
                },
                models.Task,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def create_edge(
        self,
        project_id: str,
        from_task_id: str,
        to_task_id: str,
        *,
        label: Literal["blocks", "clarifies", "depends_on", "enables", "feeds", "supports", "unblocks"] | None = None,
        style: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.EdgeResult:
        """Connect two tasks. POST /projects/{project_id}/edges"""
        return self._send(
            Request(
                "POST",
                "/projects/{project_id}/edges",
                {
                    "project_id": project_id,
                    "from_task_id": from_task_id,
                    "to_task_id": to_task_id,
                    "label": label,
                    "style": style,
                },
                models.EdgeResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def remove_edge(
        self,
        edge_id: str,
        *,
        from_task_id: str | None = None,
        to_task_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Remove an edge. DELETE /edges/{edge_id}"""
        self._send(
            Request(
                "DELETE",
                "/edges/{edge_id}",
                {"edge_id": edge_id, "from_task_id": from_task_id, "to_task_id": to_task_id},
                type(None),
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def list_documents(self, project_id: str, *, cursor: str | None = None) -> models.Documents:
        """List documents. GET /projects/{project_id}/documents"""
        return self._send(
            Request(
                "GET",
                "/projects/{project_id}/documents",
                {"project_id": project_id, "cursor": cursor},
                models.Documents,
            )
        )

    def iter_documents(self, project_id: str) -> Iterator[models.DocumentRow]:
        """All items, page after page."""
        page = self.list_documents(project_id=project_id)
        while True:
            yield from page.documents
            if page.next_cursor is None:
                return
            page = self.list_documents(project_id=project_id, cursor=page.next_cursor)

    def create_document(
        self,
        project_id: str,
        title: str,
        *,
        body: str | None = None,
        status_line: str | None = None,
        linked_task_id: str | None = None,
        parent_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.DocumentResult:
        """Create a document. POST /projects/{project_id}/documents"""
        return self._send(
            Request(
                "POST",
                "/projects/{project_id}/documents",
                {
                    "project_id": project_id,
                    "title": title,
                    "body": body,
                    "status_line": status_line,
                    "linked_task_id": linked_task_id,
                    "parent_id": parent_id,
                },
                models.DocumentResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def get_document(self, document_id: str, *, rest: str | None = None) -> models.DocumentResult:
        """Read a document. GET /documents/{document_id}"""
        return self._send(
            Request(
                "GET", "/documents/{document_id}", {"document_id": document_id, "rest": rest}, models.DocumentResult
            )
        )

    def update_document(
        self,
        document_id: str,
        *,
        title: str | None = None,
        body: str | None = None,
        status_line: str | None = None,
        expected_revision: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.DocumentResult:
        """Edit a document. PATCH /documents/{document_id}"""
        return self._send(
            Request(
                "PATCH",
                "/documents/{document_id}",
                {
                    "document_id": document_id,
                    "title": title,
                    "body": body,
                    "status_line": status_line,
                    "expected_revision": expected_revision,
                },
                models.DocumentResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def move_document(
        self, document_id: str, parent_id: str, *, idempotency_key: str | None = None
    ) -> models.DocumentResult:
        """Move a document. PUT /documents/{document_id}/parent"""
        return self._send(
            Request(
                "PUT",
                "/documents/{document_id}/parent",
                {"document_id": document_id, "parent_id": parent_id},
                models.DocumentResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def add_comment(
        self, document_id: str, body: str, *, passage: str | None = None, idempotency_key: str | None = None
    ) -> models.CommentResult:
        """Comment. POST /documents/{document_id}/comments"""
        return self._send(
            Request(
                "POST",
                "/documents/{document_id}/comments",
                {"document_id": document_id, "body": body, "passage": passage},
                models.CommentResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def list_comments(
        self,
        project_id: str,
        *,
        document_id: str | None = None,
        include_resolved: bool | None = None,
        cursor: str | None = None,
        rest: str | None = None,
    ) -> models.Comments:
        """List comments. GET /projects/{project_id}/comments"""
        return self._send(
            Request(
                "GET",
                "/projects/{project_id}/comments",
                {
                    "project_id": project_id,
                    "document_id": document_id,
                    "include_resolved": include_resolved,
                    "cursor": cursor,
                    "rest": rest,
                },
                models.Comments,
            )
        )

    def iter_comments(
        self,
        project_id: str,
        *,
        document_id: str | None = None,
        include_resolved: bool | None = None,
        rest: str | None = None,
    ) -> Iterator[models.CommentResult]:
        """All items, page after page."""
        page = self.list_comments(
            project_id=project_id, document_id=document_id, include_resolved=include_resolved, rest=rest
        )
        while True:
            yield from page.comments
            if page.next_cursor is None:
                return
            page = self.list_comments(
                project_id=project_id,
                document_id=document_id,
                include_resolved=include_resolved,
                rest=rest,
                cursor=page.next_cursor,
            )

    def resolve_comment(self, comment_id: str, *, idempotency_key: str | None = None) -> models.CommentResult:
        """Resolve a comment. POST /comments/{comment_id}/resolve"""
        return self._send(
            Request(
                "POST",
                "/comments/{comment_id}/resolve",
                {"comment_id": comment_id},
                models.CommentResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def list_notes(self, project_id: str, *, cursor: str | None = None) -> models.Notes:
        """List notes. GET /projects/{project_id}/notes"""
        return self._send(
            Request("GET", "/projects/{project_id}/notes", {"project_id": project_id, "cursor": cursor}, models.Notes)
        )

    def iter_notes(self, project_id: str) -> Iterator[models.NoteRow]:
        """All items, page after page."""
        page = self.list_notes(project_id=project_id)
        while True:
            yield from page.notes
            if page.next_cursor is None:
                return
            page = self.list_notes(project_id=project_id, cursor=page.next_cursor)

    def create_note(
        self, project_id: str, title: str, *, body: str | None = None, idempotency_key: str | None = None
    ) -> models.NoteResult:
        """Create a note. POST /projects/{project_id}/notes"""
        return self._send(
            Request(
                "POST",
                "/projects/{project_id}/notes",
                {"project_id": project_id, "title": title, "body": body},
                models.NoteResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def get_note(self, note_id: str, *, rest: str | None = None) -> models.NoteResult:
        """Read a note. GET /notes/{note_id}"""
        return self._send(Request("GET", "/notes/{note_id}", {"note_id": note_id, "rest": rest}, models.NoteResult))

    def update_note(
        self,
        note_id: str,
        *,
        title: str | None = None,
        body: str | None = None,
        expected_revision: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.NoteResult:
        """Edit a note. PATCH /notes/{note_id}"""
        return self._send(
            Request(
                "PATCH",
                "/notes/{note_id}",
                {"note_id": note_id, "title": title, "body": body, "expected_revision": expected_revision},
                models.NoteResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def list_agent_runs(self, project_id: str, *, cursor: str | None = None) -> models.AgentRuns:
        """List agent runs. GET /projects/{project_id}/agent-runs"""
        return self._send(
            Request(
                "GET",
                "/projects/{project_id}/agent-runs",
                {"project_id": project_id, "cursor": cursor},
                models.AgentRuns,
            )
        )

    def iter_agent_runs(self, project_id: str) -> Iterator[models.RunResult]:
        """All items, page after page."""
        page = self.list_agent_runs(project_id=project_id)
        while True:
            yield from page.runs
            if page.next_cursor is None:
                return
            page = self.list_agent_runs(project_id=project_id, cursor=page.next_cursor)

    def start_agent_run(
        self,
        project_id: str,
        *,
        label: str | None = None,
        task_id: str | None = None,
        model: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunResult:
        """Start an agent run. POST /projects/{project_id}/agent-runs"""
        return self._send(
            Request(
                "POST",
                "/projects/{project_id}/agent-runs",
                {"project_id": project_id, "label": label, "task_id": task_id, "model": model},
                models.RunResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def record_agent_progress(
        self, run_id: str, message: str, *, idempotency_key: str | None = None
    ) -> models.RunResult:
        """Report a run's progress. POST /agent-runs/{run_id}/progress"""
        return self._send(
            Request(
                "POST",
                "/agent-runs/{run_id}/progress",
                {"run_id": run_id, "message": message},
                models.RunResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def complete_agent_run(
        self,
        run_id: str,
        status: Literal["completed", "failed"],
        *,
        tokens: int | None = None,
        cost: float | None = None,
        result: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunResult:
        """End an agent run. POST /agent-runs/{run_id}/complete"""
        return self._send(
            Request(
                "POST",
                "/agent-runs/{run_id}/complete",
                {"run_id": run_id, "status": status, "tokens": tokens, "cost": cost, "result": result},
                models.RunResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def list_submissions(
        self,
        project_id: str,
        *,
        status: Literal["accepted", "pending", "rejected"] | None = None,
        cursor: str | None = None,
        rest: str | None = None,
    ) -> models.Submissions:
        """List guests' submissions. GET /projects/{project_id}/submissions"""
        return self._send(
            Request(
                "GET",
                "/projects/{project_id}/submissions",
                {"project_id": project_id, "status": status, "cursor": cursor, "rest": rest},
                models.Submissions,
            )
        )

    def iter_submissions(
        self,
        project_id: str,
        *,
        status: Literal["accepted", "pending", "rejected"] | None = None,
        rest: str | None = None,
    ) -> Iterator[models.GuestRequestResultsSubmissionRow]:
        """All items, page after page."""
        page = self.list_submissions(project_id=project_id, status=status, rest=rest)
        while True:
            yield from page.submissions
            if page.next_cursor is None:
                return
            page = self.list_submissions(project_id=project_id, status=status, rest=rest, cursor=page.next_cursor)

    def triage_submission(
        self,
        submission_id: str,
        action: Literal["accept", "reject"],
        *,
        as_task: models.AsTask | None = None,
        idempotency_key: str | None = None,
    ) -> models.Triaged:
        """Triage a guest's submission. POST /submissions/{submission_id}/triage"""
        return self._send(
            Request(
                "POST",
                "/submissions/{submission_id}/triage",
                {"submission_id": submission_id, "action": action, "as_task": as_task},
                models.Triaged,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def list_shares(self, project_id: str, *, cursor: str | None = None) -> models.Shares:
        """List shares. GET /projects/{project_id}/shares"""
        return self._send(
            Request("GET", "/projects/{project_id}/shares", {"project_id": project_id, "cursor": cursor}, models.Shares)
        )

    def iter_shares(self, project_id: str) -> Iterator[models.ShareView]:
        """All items, page after page."""
        page = self.list_shares(project_id=project_id)
        while True:
            yield from page.shares
            if page.next_cursor is None:
                return
            page = self.list_shares(project_id=project_id, cursor=page.next_cursor)

    def publish_project(self, project_id: str, server_url: str, sync_token: str) -> models.Published:
        """Publish on another server. POST /projects/{project_id}/publish"""
        return self._send(
            Request(
                "POST",
                "/projects/{project_id}/publish",
                {"project_id": project_id, "server_url": server_url, "sync_token": sync_token},
                models.Published,
            )
        )

    def sync_push(self, project_id: str) -> models.Pushed:
        """Push changes. POST /projects/{project_id}/push"""
        return self._send(Request("POST", "/projects/{project_id}/push", {"project_id": project_id}, models.Pushed))

    def sync_pull(self, project_id: str) -> models.Pulled:
        """Pull guests' items. POST /projects/{project_id}/pull"""
        return self._send(Request("POST", "/projects/{project_id}/pull", {"project_id": project_id}, models.Pulled))

    def list_pictures(self, *, cursor: str | None = None) -> models.Mirrors:
        """List mirrors. GET /sync/pictures"""
        return self._send(Request("GET", "/sync/pictures", {"cursor": cursor}, models.Mirrors))

    def iter_pictures(self) -> Iterator[models.MirrorRow]:
        """All items, page after page."""
        page = self.list_pictures()
        while True:
            yield from page.pictures
            if page.next_cursor is None:
                return
            page = self.list_pictures(cursor=page.next_cursor)

    def put_picture(
        self, source_id: str, format: int, picture: models.ShownProject, drawn_at: int, *, create: bool | None = None
    ) -> models.MirrorPlaced:
        """Place a mirror. PUT /sync/pictures/{source_id}"""
        return self._send(
            Request(
                "PUT",
                "/sync/pictures/{source_id}",
                {"source_id": source_id, "format": format, "picture": picture, "drawn_at": drawn_at, "create": create},
                models.MirrorPlaced,
            )
        )

    def list_picture_items(self, source_id: str) -> models.MirrorItems:
        """List a mirror's items. GET /sync/pictures/{source_id}/items"""
        return self._send(
            Request("GET", "/sync/pictures/{source_id}/items", {"source_id": source_id}, models.MirrorItems)
        )

    def acknowledge_items(self, source_id: str, item_ids: list[str]) -> models.ItemsAcknowledged:
        """Acknowledge items. POST /sync/pictures/{source_id}/items/acknowledge"""
        return self._send(
            Request(
                "POST",
                "/sync/pictures/{source_id}/items/acknowledge",
                {"source_id": source_id, "item_ids": item_ids},
                models.ItemsAcknowledged,
            )
        )

    def create_goal(
        self, project_id: str, title: str, *, description: str | None = None, idempotency_key: str | None = None
    ) -> models.GoalResult:
        """Create a goal. POST /projects/{project_id}/goals"""
        return self._send(
            Request(
                "POST",
                "/projects/{project_id}/goals",
                {"project_id": project_id, "title": title, "description": description},
                models.GoalResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def update_goal(
        self,
        goal_id: str,
        *,
        title: str | None = None,
        description: str | None = None,
        position: int | None = None,
        expected_revision: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.GoalResult:
        """Edit a goal. PATCH /goals/{goal_id}"""
        return self._send(
            Request(
                "PATCH",
                "/goals/{goal_id}",
                {
                    "goal_id": goal_id,
                    "title": title,
                    "description": description,
                    "position": position,
                    "expected_revision": expected_revision,
                },
                models.GoalResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def draft_spec(
        self,
        *,
        project_id: str | None = None,
        spec_id: str | None = None,
        title: str | None = None,
        summary: str | None = None,
        results: list[str] | None = None,
        conditions: list[str] | None = None,
        boundaries: list[str] | None = None,
        task_id: str | None = None,
        draft_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.DraftSaved:
        """Draft a spec. POST /drafts/spec"""
        return self._send(
            Request(
                "POST",
                "/drafts/spec",
                {
                    "project_id": project_id,
                    "spec_id": spec_id,
                    "title": title,
                    "summary": summary,
                    "results": results,
                    "conditions": conditions,
                    "boundaries": boundaries,
                    "task_id": task_id,
                    "draft_id": draft_id,
                },
                models.DraftSaved,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def draft_plan(
        self,
        spec_id: str,
        *,
        approach: str | None = None,
        actions: list[models.ActionOfDraft] | None = None,
        task_id: str | None = None,
        draft_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.DraftSaved:
        """Draft a plan. POST /drafts/plan"""
        return self._send(
            Request(
                "POST",
                "/drafts/plan",
                {
                    "spec_id": spec_id,
                    "approach": approach,
                    "actions": actions,
                    "task_id": task_id,
                    "draft_id": draft_id,
                },
                models.DraftSaved,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def get_draft(self, draft_id: str, *, spec_id: str | None = None, rest: str | None = None) -> models.Draft:
        """Read a draft. GET /drafts/{draft_id}"""
        return self._send(
            Request("GET", "/drafts/{draft_id}", {"draft_id": draft_id, "spec_id": spec_id, "rest": rest}, models.Draft)
        )

    def list_proposals(self, *, project_id: str | None = None, spec_id: str | None = None) -> models.Proposals:
        """List proposals. GET /proposals"""
        return self._send(
            Request("GET", "/proposals", {"project_id": project_id, "spec_id": spec_id}, models.Proposals)
        )

    def get_proposal(self, draft_id: str) -> models.ProposalView:
        """Read a proposal. GET /proposals/{draft_id}"""
        return self._send(Request("GET", "/proposals/{draft_id}", {"draft_id": draft_id}, models.ProposalView))

    def list_specs(self, project_id: str, *, cursor: str | None = None) -> models.Specs:
        """List specs. GET /projects/{project_id}/specs"""
        return self._send(
            Request("GET", "/projects/{project_id}/specs", {"project_id": project_id, "cursor": cursor}, models.Specs)
        )

    def iter_specs(self, project_id: str) -> Iterator[models.ListSpecsSpecRow]:
        """All items, page after page."""
        page = self.list_specs(project_id=project_id)
        while True:
            yield from page.specs
            if page.next_cursor is None:
                return
            page = self.list_specs(project_id=project_id, cursor=page.next_cursor)

    def create_spec(
        self,
        project_id: str,
        title: str,
        *,
        summary: str | None = None,
        results: list[str] | None = None,
        conditions: list[str] | None = None,
        boundaries: list[str] | None = None,
        goal_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.SpecResult:
        """Create a spec. POST /projects/{project_id}/specs"""
        return self._send(
            Request(
                "POST",
                "/projects/{project_id}/specs",
                {
                    "project_id": project_id,
                    "title": title,
                    "summary": summary,
                    "results": results,
                    "conditions": conditions,
                    "boundaries": boundaries,
                    "goal_id": goal_id,
                },
                models.SpecResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def list_available_specs(self, *, cursor: str | None = None) -> models.AvailableSpecs:
        """List available work. GET /specs"""
        return self._send(Request("GET", "/specs", {"cursor": cursor}, models.AvailableSpecs))

    def get_spec_draft(self, spec_id: str, *, plan_id: str | None = None) -> models.SpecDraft:
        """Read a spec's draft. GET /specs/{spec_id}"""
        return self._send(
            Request("GET", "/specs/{spec_id}", {"spec_id": spec_id, "plan_id": plan_id}, models.SpecDraft)
        )

    def update_spec(
        self,
        spec_id: str,
        *,
        title: str | None = None,
        summary: str | None = None,
        results: list[str] | None = None,
        conditions: list[str] | None = None,
        boundaries: list[str] | None = None,
        goal_id: str | None = None,
        expected_revision: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.SpecResult:
        """Edit a spec. PATCH /specs/{spec_id}"""
        return self._send(
            Request(
                "PATCH",
                "/specs/{spec_id}",
                {
                    "spec_id": spec_id,
                    "title": title,
                    "summary": summary,
                    "results": results,
                    "conditions": conditions,
                    "boundaries": boundaries,
                    "goal_id": goal_id,
                    "expected_revision": expected_revision,
                },
                models.SpecResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def get_spec(self, spec_pid: str, *, cursor: str | None = None, rest: str | None = None) -> models.WholeSpec:
        """Read a spec. GET /specs/{spec_pid}/published"""
        return self._send(
            Request(
                "GET",
                "/specs/{spec_pid}/published",
                {"spec_pid": spec_pid, "cursor": cursor, "rest": rest},
                models.WholeSpec,
            )
        )

    def add_participant(self, spec_id: str, user_id: str, *, idempotency_key: str | None = None) -> models.Participants:
        """Add a participant. PUT /specs/{spec_id}/participants/{user_id}"""
        return self._send(
            Request(
                "PUT",
                "/specs/{spec_id}/participants/{user_id}",
                {"spec_id": spec_id, "user_id": user_id},
                models.Participants,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def remove_participant(self, spec_id: str, user_id: str, *, idempotency_key: str | None = None) -> None:
        """Remove a participant. DELETE /specs/{spec_id}/participants/{user_id}"""
        self._send(
            Request(
                "DELETE",
                "/specs/{spec_id}/participants/{user_id}",
                {"spec_id": spec_id, "user_id": user_id},
                type(None),
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def create_plan(
        self, spec_id: str, title: str, *, approach: str | None = None, idempotency_key: str | None = None
    ) -> models.PlanResult:
        """Create a plan. POST /specs/{spec_id}/plans"""
        return self._send(
            Request(
                "POST",
                "/specs/{spec_id}/plans",
                {"spec_id": spec_id, "title": title, "approach": approach},
                models.PlanResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def update_plan(
        self,
        plan_id: str,
        *,
        title: str | None = None,
        approach: str | None = None,
        expected_revision: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.PlanResult:
        """Edit a plan. PATCH /plans/{plan_id}"""
        return self._send(
            Request(
                "PATCH",
                "/plans/{plan_id}",
                {"plan_id": plan_id, "title": title, "approach": approach, "expected_revision": expected_revision},
                models.PlanResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def activate_plan(self, plan_id: str, *, idempotency_key: str | None = None) -> models.PlanResult:
        """Activate a plan. POST /plans/{plan_id}/activate"""
        return self._send(
            Request(
                "POST",
                "/plans/{plan_id}/activate",
                {"plan_id": plan_id},
                models.PlanResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def order_actions(
        self, plan_id: str, action_ids: list[str], *, idempotency_key: str | None = None
    ) -> models.ActionsOrdered:
        """Order the actions of a plan. PUT /plans/{plan_id}/actions/order"""
        return self._send(
            Request(
                "PUT",
                "/plans/{plan_id}/actions/order",
                {"plan_id": plan_id, "action_ids": action_ids},
                models.ActionsOrdered,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def preview_build(self, spec_id: str, *, action_id: str | None = None) -> models.BuildPreview:
        """Preview a build. GET /specs/{spec_id}/preview"""
        return self._send(
            Request(
                "GET", "/specs/{spec_id}/preview", {"spec_id": spec_id, "action_id": action_id}, models.BuildPreview
            )
        )

    def compare_builds(self, spec_id: str, to_build: int, *, from_build: int | None = None) -> models.BuildsCompared:
        """Compare builds. GET /specs/{spec_id}/builds/compare"""
        return self._send(
            Request(
                "GET",
                "/specs/{spec_id}/builds/compare",
                {"spec_id": spec_id, "to_build": to_build, "from_build": from_build},
                models.BuildsCompared,
            )
        )

    def list_builds(self, spec_id: str, *, cursor: int | None = None) -> models.Builds:
        """List builds. GET /specs/{spec_id}/builds"""
        return self._send(
            Request("GET", "/specs/{spec_id}/builds", {"spec_id": spec_id, "cursor": cursor}, models.Builds)
        )

    def iter_builds(self, spec_id: str) -> Iterator[models.BuildRow]:
        """All items, page after page."""
        page = self.list_builds(spec_id=spec_id)
        while True:
            yield from page.builds
            if page.next_cursor is None:
                return
            page = self.list_builds(spec_id=spec_id, cursor=page.next_cursor)

    def publish_build(self, spec_id: str, *, idempotency_key: str | None = None) -> models.BuildPublished:
        """Publish a build. POST /specs/{spec_id}/builds"""
        return self._send(
            Request(
                "POST",
                "/specs/{spec_id}/builds",
                {"spec_id": spec_id},
                models.BuildPublished,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def list_actions(
        self,
        project_id: str,
        *,
        state: Literal["backlog", "scope", "todo", "in_progress", "in_review", "changes_requested", "done", "wont_do"]
        | None = None,
        cursor: str | None = None,
    ) -> models.Actions:
        """List actions. GET /projects/{project_id}/actions"""
        return self._send(
            Request(
                "GET",
                "/projects/{project_id}/actions",
                {"project_id": project_id, "state": state, "cursor": cursor},
                models.Actions,
            )
        )

    def iter_actions(
        self,
        project_id: str,
        *,
        state: Literal["backlog", "scope", "todo", "in_progress", "in_review", "changes_requested", "done", "wont_do"]
        | None = None,
    ) -> Iterator[models.ListActionsActionRow]:
        """All items, page after page."""
        page = self.list_actions(project_id=project_id, state=state)
        while True:
            yield from page.actions
            if page.next_cursor is None:
                return
            page = self.list_actions(project_id=project_id, state=state, cursor=page.next_cursor)

    def create_action(
        self,
        label: str,
        project_id: str,
        *,
        spec_id: str | None = None,
        plan_id: str | None = None,
        description: str | None = None,
        area: str | None = None,
        paths: list[str] | None = None,
        state: Literal["backlog", "scope", "todo"] | None = None,
        priority: Literal["high", "low", "medium", "none", "urgent"] | int | None = None,
        x: float | None = None,
        y: float | None = None,
        criteria: list[str] | None = None,
        prerequisites: list[str] | None = None,
        assignee: str | None = None,
        due: str | None = None,
        labels: list[str] | None = None,
        idempotency_key: str | None = None,
    ) -> models.PlannedAction:
        """Create an action. POST /projects/{project_id}/actions"""
        return self._send(
            Request(
                "POST",
                "/projects/{project_id}/actions",
                {
                    "label": label,
                    "project_id": project_id,
                    "spec_id": spec_id,
                    "plan_id": plan_id,
                    "description": description,
                    "area": area,
                    "paths": paths,
                    "state": state,
                    "priority": priority,
                    "x": x,
                    "y": y,
                    "criteria": criteria,
                    "prerequisites": prerequisites,
                    "assignee": assignee,
                    "due": due,
                    "labels": labels,
                },
                models.PlannedAction,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def suggest_actions(
        self, project_id: str, *, query: str | None = None, action_id: str | None = None
    ) -> models.ActionSuggestions:
        """Suggest actions. GET /projects/{project_id}/suggestions"""
        return self._send(
            Request(
                "GET",
                "/projects/{project_id}/suggestions",
                {"project_id": project_id, "query": query, "action_id": action_id},
                models.ActionSuggestions,
            )
        )

    def get_action(self, action_id: str) -> models.WholeAction:
        """Read an action. GET /actions/{action_id}"""
        return self._send(Request("GET", "/actions/{action_id}", {"action_id": action_id}, models.WholeAction))

    def update_action(
        self,
        action_id: str,
        *,
        label: str | None = None,
        description: str | None = None,
        area: str | None = None,
        paths: list[str] | None = None,
        state: Literal["backlog", "scope", "todo", "in_progress", "in_review", "changes_requested", "done", "wont_do"]
        | None = None,
        reason: str | None = None,
        release_dependents: bool | None = None,
        priority: Literal["high", "low", "medium", "none", "urgent"] | int | None = None,
        position: int | None = None,
        x: float | None = None,
        y: float | None = None,
        assignee: str | None = None,
        due: str | None = None,
        labels: list[str] | None = None,
        expected_revision: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.PlannedAction:
        """Edit or move an action. PATCH /actions/{action_id}"""
        return self._send(
            Request(
                "PATCH",
                "/actions/{action_id}",
                {
                    "action_id": action_id,
                    "label": label,
                    "description": description,
                    "area": area,
                    "paths": paths,
                    "state": state,
                    "reason": reason,
                    "release_dependents": release_dependents,
                    "priority": priority,
                    "position": position,
                    "x": x,
                    "y": y,
                    "assignee": assignee,
                    "due": due,
                    "labels": labels,
                    "expected_revision": expected_revision,
                },
                models.PlannedAction,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def move_action(
        self,
        action_id: str,
        *,
        spec_id: str | None = None,
        plan_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.PlannedAction:
        """Move an action to another spec or plan. POST /actions/{action_id}/move"""
        return self._send(
            Request(
                "POST",
                "/actions/{action_id}/move",
                {"action_id": action_id, "spec_id": spec_id, "plan_id": plan_id},
                models.PlannedAction,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def order_criteria(
        self,
        action_id: str,
        criterion_ids: list[str],
        *,
        expected_revision: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.PlannedAction:
        """Order the criteria of an action. PUT /actions/{action_id}/criteria/order"""
        return self._send(
            Request(
                "PUT",
                "/actions/{action_id}/criteria/order",
                {"action_id": action_id, "criterion_ids": criterion_ids, "expected_revision": expected_revision},
                models.PlannedAction,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def create_criterion(
        self, action_id: str, text: str, *, expected_revision: int | None = None, idempotency_key: str | None = None
    ) -> models.PlannedAction:
        """Add a criterion. POST /actions/{action_id}/criteria"""
        return self._send(
            Request(
                "POST",
                "/actions/{action_id}/criteria",
                {"action_id": action_id, "text": text, "expected_revision": expected_revision},
                models.PlannedAction,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def attach_evidence(
        self,
        name: str,
        action_id: str,
        criterion_id: str,
        content: bytes,
        *,
        media_type: str | None = None,
        claim_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.AttachmentView:
        """Attach evidence to a criterion. POST /actions/{action_id}/criteria/{criterion_id}/attachments"""
        return self._send(
            Request(
                "POST",
                "/actions/{action_id}/criteria/{criterion_id}/attachments",
                {
                    "name": name,
                    "media_type": media_type,
                    "action_id": action_id,
                    "criterion_id": criterion_id,
                    "claim_id": claim_id,
                },
                models.AttachmentView,
                idempotency_key=idempotency_key or new_idempotency_key(),
                content=content,
            )
        )

    def update_criterion(
        self,
        criterion_id: str,
        *,
        text: str | None = None,
        position: int | None = None,
        expected_revision: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.PlannedAction:
        """Edit a criterion. PATCH /criteria/{criterion_id}"""
        return self._send(
            Request(
                "PATCH",
                "/criteria/{criterion_id}",
                {
                    "criterion_id": criterion_id,
                    "text": text,
                    "position": position,
                    "expected_revision": expected_revision,
                },
                models.PlannedAction,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def remove_criterion(
        self, criterion_id: str, *, expected_revision: int | None = None, idempotency_key: str | None = None
    ) -> None:
        """Remove a criterion. DELETE /criteria/{criterion_id}"""
        self._send(
            Request(
                "DELETE",
                "/criteria/{criterion_id}",
                {"criterion_id": criterion_id, "expected_revision": expected_revision},
                type(None),
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def restore_criterion(self, criterion_id: str, *, idempotency_key: str | None = None) -> models.PlannedAction:
        """Restore a criterion. POST /criteria/{criterion_id}/restore"""
        return self._send(
            Request(
                "POST",
                "/criteria/{criterion_id}/restore",
                {"criterion_id": criterion_id},
                models.PlannedAction,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def convert_criterion(
        self, criterion_id: str, *, expected_revision: int | None = None, idempotency_key: str | None = None
    ) -> models.PlannedAction:
        """Make a criterion an action. POST /criteria/{criterion_id}/convert"""
        return self._send(
            Request(
                "POST",
                "/criteria/{criterion_id}/convert",
                {"criterion_id": criterion_id, "expected_revision": expected_revision},
                models.PlannedAction,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def get_review(self, action_id: str) -> models.ReviewPage:
        """See a submission. GET /actions/{action_id}/review"""
        return self._send(Request("GET", "/actions/{action_id}/review", {"action_id": action_id}, models.ReviewPage))

    def get_change(
        self, action_id: str, *, submission_number: int | None = None, part: Literal["change", "since"] | None = None
    ) -> models.ChangeView:
        """See a change. GET /actions/{action_id}/change"""
        return self._send(
            Request(
                "GET",
                "/actions/{action_id}/change",
                {"action_id": action_id, "submission_number": submission_number, "part": part},
                models.ChangeView,
            )
        )

    def push_change(self, action_id: str, content: bytes, *, claim_id: str | None = None) -> models.ChangePushed:
        """Push a change. POST /actions/{action_id}/change"""
        return self._send(
            Request(
                "POST",
                "/actions/{action_id}/change",
                {"action_id": action_id, "claim_id": claim_id},
                models.ChangePushed,
                content=content,
            )
        )

    def get_change_file(
        self,
        action_id: str,
        position: int,
        *,
        submission_number: int | None = None,
        part: Literal["change", "since"] | None = None,
    ) -> models.FileOfChange:
        """See a file of a change. GET /actions/{action_id}/change/file"""
        return self._send(
            Request(
                "GET",
                "/actions/{action_id}/change/file",
                {"action_id": action_id, "position": position, "submission_number": submission_number, "part": part},
                models.FileOfChange,
            )
        )

    def claim_action(
        self,
        action_pid: str,
        *,
        agent_model: str | None = None,
        take_over: bool | None = None,
        claim_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.ClaimedAction:
        """Claim an action. POST /actions/{action_pid}/claim"""
        return self._send(
            Request(
                "POST",
                "/actions/{action_pid}/claim",
                {"action_pid": action_pid, "agent_model": agent_model, "take_over": take_over, "claim_id": claim_id},
                models.ClaimedAction,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def get_action_brief(
        self, action_pid: str, *, brief_rev: str | None = None, rest: str | None = None
    ) -> models.Brief:
        """Read an action's brief. GET /actions/{action_pid}/brief"""
        return self._send(
            Request(
                "GET",
                "/actions/{action_pid}/brief",
                {"action_pid": action_pid, "brief_rev": brief_rev, "rest": rest},
                models.Brief,
            )
        )

    def preview_brief(self, action_id: str) -> models.Brief:
        """Preview a brief. GET /actions/{action_id}/brief/preview"""
        return self._send(Request("GET", "/actions/{action_id}/brief/preview", {"action_id": action_id}, models.Brief))

    def release_action(
        self,
        action_pid: str,
        *,
        claim_id: str | None = None,
        brief_rev: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.ActionResult:
        """Release an action. POST /actions/{action_pid}/release"""
        return self._send(
            Request(
                "POST",
                "/actions/{action_pid}/release",
                {"action_pid": action_pid, "claim_id": claim_id, "brief_rev": brief_rev},
                models.ActionResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def update_progress(
        self,
        action_pid: str,
        status: Literal["not-started", "started", "wont-do"],
        message: str,
        *,
        claim_id: str | None = None,
        brief_rev: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.ActionResult:
        """Report progress. POST /actions/{action_pid}/progress"""
        return self._send(
            Request(
                "POST",
                "/actions/{action_pid}/progress",
                {
                    "action_pid": action_pid,
                    "status": status,
                    "message": message,
                    "claim_id": claim_id,
                    "brief_rev": brief_rev,
                },
                models.ActionResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def request_clarification(
        self,
        action_pid: str,
        question: str,
        *,
        claim_id: str | None = None,
        brief_rev: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.ClarificationResult:
        """Ask a blocking question. POST /actions/{action_pid}/clarifications"""
        return self._send(
            Request(
                "POST",
                "/actions/{action_pid}/clarifications",
                {"action_pid": action_pid, "question": question, "claim_id": claim_id, "brief_rev": brief_rev},
                models.ClarificationResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def report_commit(
        self,
        action_pid: str,
        sha: str,
        message: str,
        *,
        files_changed: int | None = None,
        criterion_ids: list[str] | None = None,
        branch: str | None = None,
        claim_id: str | None = None,
        brief_rev: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.CommitReported:
        """Report a commit. POST /actions/{action_pid}/commits"""
        return self._send(
            Request(
                "POST",
                "/actions/{action_pid}/commits",
                {
                    "action_pid": action_pid,
                    "sha": sha,
                    "message": message,
                    "files_changed": files_changed,
                    "criterion_ids": criterion_ids,
                    "branch": branch,
                    "claim_id": claim_id,
                    "brief_rev": brief_rev,
                },
                models.CommitReported,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def report_test_result(
        self,
        action_pid: str,
        criterion_id: str,
        outcome: Literal["passed", "failed"],
        *,
        evidence: str | None = None,
        claim_id: str | None = None,
        brief_rev: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.ResultReported:
        """Report a test result. POST /actions/{action_pid}/test-results"""
        return self._send(
            Request(
                "POST",
                "/actions/{action_pid}/test-results",
                {
                    "action_pid": action_pid,
                    "criterion_id": criterion_id,
                    "outcome": outcome,
                    "evidence": evidence,
                    "claim_id": claim_id,
                    "brief_rev": brief_rev,
                },
                models.ResultReported,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def upload_test_report(
        self,
        action_pid: str,
        format: Literal["junit", "tap"],
        content: bytes,
        *,
        sha: str | None = None,
        mapping: dict[str, str] | None = None,
        claim_id: str | None = None,
        brief_rev: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.ReportUploaded:
        """Upload a test report. POST /actions/{action_pid}/test-reports"""
        return self._send(
            Request(
                "POST",
                "/actions/{action_pid}/test-reports",
                {
                    "action_pid": action_pid,
                    "format": format,
                    "sha": sha,
                    "mapping": mapping,
                    "claim_id": claim_id,
                    "brief_rev": brief_rev,
                },
                models.ReportUploaded,
                idempotency_key=idempotency_key or new_idempotency_key(),
                content=content,
            )
        )

    def submit_for_review(
        self,
        action_pid: str,
        summary: str,
        *,
        pr_url: str | None = None,
        branch: str | None = None,
        head_sha: str | None = None,
        evidence: list[models.EvidenceEntry] | None = None,
        unmet: list[models.UnmetEntry] | None = None,
        commands: list[models.CommandEntry] | None = None,
        claim_id: str | None = None,
        brief_rev: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.ActionResult:
        """Submit for review. POST /actions/{action_pid}/submit"""
        return self._send(
            Request(
                "POST",
                "/actions/{action_pid}/submit",
                {
                    "action_pid": action_pid,
                    "summary": summary,
                    "pr_url": pr_url,
                    "branch": branch,
                    "head_sha": head_sha,
                    "evidence": evidence,
                    "unmet": unmet,
                    "commands": commands,
                    "claim_id": claim_id,
                    "brief_rev": brief_rev,
                },
                models.ActionResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def resubmit_for_review(
        self,
        action_pid: str,
        summary: str,
        *,
        pr_url: str | None = None,
        branch: str | None = None,
        head_sha: str | None = None,
        evidence: list[models.EvidenceEntry] | None = None,
        unmet: list[models.UnmetEntry] | None = None,
        commands: list[models.CommandEntry] | None = None,
        claim_id: str | None = None,
        brief_rev: str | None = None,
        dispositions: list[models.DispositionEntry] | None = None,
        idempotency_key: str | None = None,
    ) -> models.ActionResult:
        """Resubmit for review. POST /actions/{action_pid}/resubmit"""
        return self._send(
            Request(
                "POST",
                "/actions/{action_pid}/resubmit",
                {
                    "action_pid": action_pid,
                    "summary": summary,
                    "pr_url": pr_url,
                    "branch": branch,
                    "head_sha": head_sha,
                    "evidence": evidence,
                    "unmet": unmet,
                    "commands": commands,
                    "claim_id": claim_id,
                    "brief_rev": brief_rev,
                    "dispositions": dispositions,
                },
                models.ActionResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def list_watchers(self, object_id: str) -> models.Watchers:
        """List watchers. GET /watches/{object_id}"""
        return self._send(Request("GET", "/watches/{object_id}", {"object_id": object_id}, models.Watchers))

    def get_inbox(
        self,
        *,
        kind: Literal[
            "claim", "dropped", "guest", "mention", "proposal", "question", "review", "rework", "take_over", "watched"
        ]
        | None = None,
        project_id: str | None = None,
        cursor: str | None = None,
    ) -> models.Inbox:
        """See what needs a person. GET /inbox"""
        return self._send(
            Request("GET", "/inbox", {"kind": kind, "project_id": project_id, "cursor": cursor}, models.Inbox)
        )

    def get_first_steps(self) -> models.FirstSteps:
        """See the first steps. GET /first-steps"""
        return self._send(Request("GET", "/first-steps", {}, models.FirstSteps))

    def propose_key(self, name: str) -> models.ProposedKey:
        """Propose a project's key. GET /proposed-key"""
        return self._send(Request("GET", "/proposed-key", {"name": name}, models.ProposedKey))

    def get_clarification(self, clarification_pid: str) -> models.ClarificationResult:
        """Read a question. GET /clarifications/{clarification_pid}"""
        return self._send(
            Request(
                "GET",
                "/clarifications/{clarification_pid}",
                {"clarification_pid": clarification_pid},
                models.ClarificationResult,
            )
        )

    def answer_clarification(
        self,
        clarification_pid: str,
        answer: str,
        *,
        claim_id: str | None = None,
        brief_rev: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.ClarificationResult:
        """Relay an answer. POST /clarifications/{clarification_pid}/relay"""
        return self._send(
            Request(
                "POST",
                "/clarifications/{clarification_pid}/relay",
                {
                    "clarification_pid": clarification_pid,
                    "answer": answer,
                    "claim_id": claim_id,
                    "brief_rev": brief_rev,
                },
                models.ClarificationResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def put_attachment(
        self,
        name: str,
        content: bytes,
        *,
        media_type: str | None = None,
        spec_pid: str | None = None,
        document_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.AttachmentView:
        """Attach a file. POST /attachments"""
        return self._send(
            Request(
                "POST",
                "/attachments",
                {"name": name, "media_type": media_type, "spec_pid": spec_pid, "document_id": document_id},
                models.AttachmentView,
                idempotency_key=idempotency_key or new_idempotency_key(),
                content=content,
            )
        )

    def get_attachment_url(self, attachment_pid: str) -> models.AttachmentUrl:
        """Get an attachment's link. GET /attachments/{attachment_pid}/url"""
        return self._send(
            Request(
                "GET", "/attachments/{attachment_pid}/url", {"attachment_pid": attachment_pid}, models.AttachmentUrl
            )
        )

    def get_workspace(self) -> models.WorkspaceSettings:
        """Read the workspace's settings. GET /workspace"""
        return self._send(Request("GET", "/workspace", {}, models.WorkspaceSettings))

    def list_members(self, *, cursor: str | None = None) -> models.MemberList:
        """List members. GET /members"""
        return self._send(Request("GET", "/members", {"cursor": cursor}, models.MemberList))

    def iter_members(self) -> Iterator[models.MemberView]:
        """All items, page after page."""
        page = self.list_members()
        while True:
            yield from page.members
            if page.next_cursor is None:
                return
            page = self.list_members(cursor=page.next_cursor)

    def list_assignees(self) -> models.Assignees:
        """List assignees. GET /assignees"""
        return self._send(Request("GET", "/assignees", {}, models.Assignees))

    def get_github_webhook(self, project_id: str) -> models.WebhookView:
        """Read the GitHub webhook. GET /projects/{project_id}/github-webhook"""
        return self._send(
            Request("GET", "/projects/{project_id}/github-webhook", {"project_id": project_id}, models.WebhookView)
        )

    def get_insights(self, *, project_id: str | None = None, days: int | None = None) -> models.Insights:
        """How the work goes. GET /insights"""
        return self._send(Request("GET", "/insights", {"project_id": project_id, "days": days}, models.Insights))

    def list_revisions(
        self, object_id: str, *, revision: int | None = None, cursor: int | None = None
    ) -> models.Revisions:
        """List revisions. GET /revisions/{object_id}"""
        return self._send(
            Request(
                "GET",
                "/revisions/{object_id}",
                {"object_id": object_id, "revision": revision, "cursor": cursor},
                models.Revisions,
            )
        )

    def iter_revisions(self, object_id: str, *, revision: int | None = None) -> Iterator[models.RevisionRow]:
        """All items, page after page."""
        page = self.list_revisions(object_id=object_id, revision=revision)
        while True:
            yield from page.revisions
            if page.next_cursor is None:
                return
            page = self.list_revisions(object_id=object_id, revision=revision, cursor=page.next_cursor)

    def compare_revisions(
        self,
        object_id: str,
        *,
        from_revision: int | None = None,
        to_revision: int | None = None,
        restored_revision: int | None = None,
        draft: dict[str, str] | None = None,
    ) -> models.RevisionsCompared:
        """Compare revisions. POST /revisions/{object_id}/compare"""
        return self._send(
            Request(
                "POST",
                "/revisions/{object_id}/compare",
                {
                    "object_id": object_id,
                    "from_revision": from_revision,
                    "to_revision": to_revision,
                    "restored_revision": restored_revision,
                    "draft": draft,
                },
                models.RevisionsCompared,
            )
        )

    def restore_revision(
        self, object_id: str, revision: int, *, expected_revision: int | None = None, idempotency_key: str | None = None
    ) -> models.Restored:
        """Restore a revision. POST /revisions/{object_id}/restore"""
        return self._send(
            Request(
                "POST",
                "/revisions/{object_id}/restore",
                {"object_id": object_id, "revision": revision, "expected_revision": expected_revision},
                models.Restored,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    def search(
        self,
        query: str,
        *,
        project_id: str | None = None,
        kind: Literal["action", "document", "note", "spec"] | None = None,
        status: Literal["backlog", "scope", "todo", "in_progress", "in_review", "changes_requested", "done", "wont_do"]
        | None = None,
        user_pid: str | None = None,
    ) -> models.SearchResults:
        """Search. GET /search"""
        return self._send(
            Request(
                "GET",
                "/search",
                {"query": query, "project_id": project_id, "kind": kind, "status": status, "user_pid": user_pid},
                models.SearchResults,
            )
        )

    def get_timeline(
        self,
        *,
        project_id: str | None = None,
        action_pid: str | None = None,
        user_pid: str | None = None,
        model: str | None = None,
        kind: list[str] | None = None,
        cursor: int | None = None,
        limit: int | None = None,
        imported: bool | None = None,
    ) -> models.Timeline:
        """Read the timeline. GET /timeline"""
        return self._send(
            Request(
                "GET",
                "/timeline",
                {
                    "project_id": project_id,
                    "action_pid": action_pid,
                    "user_pid": user_pid,
                    "model": model,
                    "kind": kind,
                    "cursor": cursor,
                    "limit": limit,
                    "imported": imported,
                },
                models.Timeline,
            )
        )

    def get_replay(self, project_id: str, *, after: int | None = None, newest: int | None = None) -> models.Replay:
        """Play a project again. GET /projects/{project_id}/replay"""
        return self._send(
            Request(
                "GET",
                "/projects/{project_id}/replay",
                {"project_id": project_id, "after": after, "newest": newest},
                models.Replay,
            )
        )

    def list_imported_events(
        self, project_id: str, *, after: int | None = None, limit: int | None = None
    ) -> models.Events:
        """List imported events. GET /projects/{project_id}/imported-events"""
        return self._send(
            Request(
                "GET",
                "/projects/{project_id}/imported-events",
                {"project_id": project_id, "after": after, "limit": limit},
                models.Events,
            )
        )

    def iter_imported_events(self, project_id: str, *, limit: int | None = None) -> Iterator[models.EventRow]:
        """All items, page after page."""
        page = self.list_imported_events(project_id=project_id, limit=limit)
        while True:
            yield from page.events
            if page.next_cursor is None:
                return
            page = self.list_imported_events(project_id=project_id, limit=limit, after=page.next_cursor)

    def list_events(
        self,
        *,
        project_id: str | None = None,
        action_pid: str | None = None,
        user_pid: str | None = None,
        model: str | None = None,
        kind: list[str] | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> models.Events:
        """List events. GET /log"""
        return self._send(
            Request(
                "GET",
                "/log",
                {
                    "project_id": project_id,
                    "action_pid": action_pid,
                    "user_pid": user_pid,
                    "model": model,
                    "kind": kind,
                    "after": after,
                    "limit": limit,
                },
                models.Events,
            )
        )

    def iter_events(
        self,
        *,
        project_id: str | None = None,
        action_pid: str | None = None,
        user_pid: str | None = None,
        model: str | None = None,
        kind: list[str] | None = None,
        limit: int | None = None,
    ) -> Iterator[models.EventRow]:
        """All items, page after page."""
        page = self.list_events(
            project_id=project_id, action_pid=action_pid, user_pid=user_pid, model=model, kind=kind, limit=limit
        )
        while True:
            yield from page.events
            if page.next_cursor is None:
                return
            page = self.list_events(
                project_id=project_id,
                action_pid=action_pid,
                user_pid=user_pid,
                model=model,
                kind=kind,
                limit=limit,
                after=page.next_cursor,
            )


class AsyncOperations:
    async def _send(self, request: Request[T]) -> T:
        raise NotImplementedError

    async def list_projects(self, *, cursor: str | None = None) -> models.Projects:
        """List projects. GET /projects"""
        return await self._send(Request("GET", "/projects", {"cursor": cursor}, models.Projects))

    async def iter_projects(self) -> AsyncIterator[models.ProjectRow]:
        """All items, page after page."""
        page = await self.list_projects()
        while True:
            for item in page.projects:
                yield item
            if page.next_cursor is None:
                return
            page = await self.list_projects(cursor=page.next_cursor)

    async def create_project(
        self,
        name: str,
        *,
        description: str | None = None,
        key: str | None = None,
        repository_url: str | None = None,
        state: Literal["active", "archived", "complete", "draft", "paused"] | None = None,
        idempotency_key: str | None = None,
    ) -> models.ProjectResult:
        """Create a project. POST /projects"""
        return await self._send(
            Request(
                "POST",
                "/projects",
                {
                    "name": name,
                    "description": description,
                    "key": key,
                    "repository_url": repository_url,
                    "state": state,
                },
                models.ProjectResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def scaffold_project_from_plan(
        self,
        name: str,
        tasks: list[models.TaskOfPlan],
        *,
        description: str | None = None,
        edges: list[models.EdgeOfPlan] | None = None,
        documents: list[models.DocumentOfPlan] | None = None,
        idempotency_key: str | None = None,
    ) -> models.Scaffolded:
        """Create a project from a plan. POST /projects/scaffold"""
        return await self._send(
            Request(
                "POST",
                "/projects/scaffold",
                {"name": name, "tasks": tasks, "description": description, "edges": edges, "documents": documents},
                models.Scaffolded,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def load_sample(self) -> models.SampleLoaded:
        """Load the sample project. POST /projects/sample"""
        return await self._send(Request("POST", "/projects/sample", {}, models.SampleLoaded))

    async def get_overview(self) -> models.Overview:
        """See the desk at a glance. GET /overview"""
        return await self._send(Request("GET", "/overview", {}, models.Overview))

    async def list_project_cards(self, *, cursor: str | None = None) -> models.ProjectCards:
        """See how far each project is. GET /projects/cards"""
        return await self._send(Request("GET", "/projects/cards", {"cursor": cursor}, models.ProjectCards))

    async def iter_project_cards(self) -> AsyncIterator[models.ProjectCard]:
        """All items, page after page."""
        page = await self.list_project_cards()
        while True:
            for item in page.projects:
                yield item
            if page.next_cursor is None:
                return
            page = await self.list_project_cards(cursor=page.next_cursor)

    async def get_project(
        self,
        project_id: str,
        *,
        status: Literal["backlog", "scope", "todo", "in_progress", "in_review", "done", "wont_do"] | None = None,
        cursor: str | None = None,
        rest: str | None = None,
    ) -> models.WholeProject:
        """Read a project. GET /projects/{project_id}"""
        return await self._send(
            Request(
                "GET",
                "/projects/{project_id}",
                {"project_id": project_id, "status": status, "cursor": cursor, "rest": rest},
                models.WholeProject,
            )
        )

    async def get_board(
        self,
        project_id: str,
        *,
        query: str | None = None,
        area: str | None = None,
        holder: str | None = None,
        spec_id: str | None = None,
        mark: Literal["blocked", "changes", "expired", "waiting"] | None = None,
        assignee: str | None = None,
        label: str | None = None,
        due: Literal["none", "overdue", "week"] | None = None,
        order: Literal["due", "newest", "priority", "ref"] | None = None,
        group: Literal["agent", "label", "person", "spec"] | None = None,
        shown: str | None = None,
    ) -> models.Board:
        """See a project as a board. GET /projects/{project_id}/board"""
        return await self._send(
            Request(
                "GET",
                "/projects/{project_id}/board",
                {
                    "project_id": project_id,
                    "query": query,
                    "area": area,
                    "holder": holder,
                    "spec_id": spec_id,
                    "mark": mark,
                    "assignee": assignee,
                    "label": label,
                    "due": due,
                    "order": order,
                    "group": group,
                    "shown": shown,
                },
                models.Board,
            )
        )

    async def get_flow(
        self,
        project_id: str,
        *,
        spec_id: str | None = None,
        done: Literal["hidden", "shown"] | None = None,
        group: Literal["action", "spec"] | None = None,
    ) -> models.Flow:
        """See a project as a graph. GET /projects/{project_id}/flow"""
        return await self._send(
            Request(
                "GET",
                "/projects/{project_id}/flow",
                {"project_id": project_id, "spec_id": spec_id, "done": done, "group": group},
                models.Flow,
            )
        )

    async def list_cards(
        self,
        project_id: str,
        *,
        query: str | None = None,
        area: str | None = None,
        holder: str | None = None,
        spec_id: str | None = None,
        mark: Literal["blocked", "changes", "expired", "waiting"] | None = None,
        assignee: str | None = None,
        label: str | None = None,
        due: Literal["none", "overdue", "week"] | None = None,
        order: Literal["due", "label", "newest", "priority", "ref", "state"] | None = None,
        state: Literal["backlog", "scope", "todo", "in_progress", "in_review", "changes_requested", "done", "wont_do"]
        | None = None,
    ) -> models.Cards:
        """See a project as a list. GET /projects/{project_id}/cards"""
        return await self._send(
            Request(
                "GET",
                "/projects/{project_id}/cards",
                {
                    "project_id": project_id,
                    "query": query,
                    "area": area,
                    "holder": holder,
                    "spec_id": spec_id,
                    "mark": mark,
                    "assignee": assignee,
                    "label": label,
                    "due": due,
                    "order": order,
                    "state": state,
                },
                models.Cards,
            )
        )

    async def list_agents(self) -> models.Agents:
        """List agents. GET /agents"""
        return await self._send(Request("GET", "/agents", {}, models.Agents))

    async def list_messages(
        self,
        *,
        agent_session_id: str | None = None,
        action_pid: str | None = None,
        project_id: str | None = None,
        cursor: str | None = None,
    ) -> models.Messages:
        """List messages to agents. GET /messages"""
        return await self._send(
            Request(
                "GET",
                "/messages",
                {
                    "agent_session_id": agent_session_id,
                    "action_pid": action_pid,
                    "project_id": project_id,
                    "cursor": cursor,
                },
                models.Messages,
            )
        )

    async def get_session_activity(self, agent_session_id: str, *, cursor: str | None = None) -> models.SessionActivity:
        """Read what an agent session does. GET /agent-sessions/{agent_session_id}/activity"""
        return await self._send(
            Request(
                "GET",
                "/agent-sessions/{agent_session_id}/activity",
                {"agent_session_id": agent_session_id, "cursor": cursor},
                models.SessionActivity,
            )
        )

    async def update_project(
        self,
        project_id: str,
        *,
        name: str | None = None,
        description: str | None = None,
        state: Literal["active", "archived", "complete", "draft", "paused"] | None = None,
        repository_url: str | None = None,
        require_evidence: bool | None = None,
        refuse_overlap: bool | None = None,
        expected_revision: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.UpdatedProject:
        """Edit a project. PATCH /projects/{project_id}"""
        return await self._send(
            Request(
                "PATCH",
                "/projects/{project_id}",
                {
                    "project_id": project_id,
                    "name": name,
                    "description": description,
                    "state": state,
                    "repository_url": repository_url,
                    "require_evidence": require_evidence,
                    "refuse_overlap": refuse_overlap,
                    "expected_revision": expected_revision,
                },
                models.UpdatedProject,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def get_canvas(self, project_id: str) -> models.Canvas:
        """Read a project's canvas. GET /projects/{project_id}/canvas"""
        return await self._send(
            Request("GET", "/projects/{project_id}/canvas", {"project_id": project_id}, models.Canvas)
        )

    async def put_canvas(
        self,
        project_id: str,
        *,
        nodes: list[models.PlacedNode] | None = None,
        layout: Literal["automatic", "manual"] | None = None,
        idempotency_key: str | None = None,
    ) -> models.Canvas:
        """Move tasks on the canvas. PUT /projects/{project_id}/canvas"""
        return await self._send(
            Request(
                "PUT",
                "/projects/{project_id}/canvas",
                {"project_id": project_id, "nodes": nodes, "layout": layout},
                models.Canvas,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def get_next_task(
        self, project_id: str, *, take: bool | None = None, idempotency_key: str | None = None
    ) -> models.NextTask:
        """What to do next. GET /projects/{project_id}/next-task"""
        return await self._send(
            Request(
                "GET",
                "/projects/{project_id}/next-task",
                {"project_id": project_id, "take": take},
                models.NextTask,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def list_tasks(
        self,
        project_id: str,
        *,
        status: Literal["backlog", "scope", "todo", "in_progress", "in_review", "done", "wont_do"] | None = None,
        label: str | None = None,
        assignee: str | None = None,
        text: str | None = None,
        cursor: str | None = None,
    ) -> models.Tasks:
        """List tasks. GET /projects/{project_id}/tasks"""
        return await self._send(
            Request(
                "GET",
                "/projects/{project_id}/tasks",
                {
                    "project_id": project_id,
                    "status": status,
                    "label": label,
                    "assignee": assignee,
                    "text": text,
                    "cursor": cursor,
                },
                models.Tasks,
            )
        )

    async def create_task(
        self,
        project_id: str,
        label: str,
        *,
        status: Literal["backlog", "scope", "todo", "in_progress", "in_review", "done", "wont_do"] | None = None,
        description: str | None = None,
        x: float | None = None,
        y: float | None = None,
        priority: Literal["high", "low", "medium", "none", "urgent"] | int | None = None,
        assignee: str | None = None,
        due: str | None = None,
        labels: list[str] | None = None,
        idempotency_key: str | None = None,
    ) -> models.Task:
        """Create a task. POST /projects/{project_id}/tasks"""
        return await self._send(
            Request(
                "POST",
                "/projects/{project_id}/tasks",
                {
                    "project_id": project_id,
                    "label": label,
                    "status": status,
                    "description": description,
                    "x": x,
                    "y": y,
                    "priority": priority,
                    "assignee": assignee,
                    "due": due,
                    "labels": labels,
                },
                models.Task,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def get_task(self, task_id: str, *, rest: str | None = None) -> models.WholeTask:
        """Read a task. GET /tasks/{task_id}"""
        return await self._send(
            Request("GET", "/tasks/{task_id}", {"task_id": task_id, "rest": rest}, models.WholeTask)
        )

    async def update_task(
        self,
        task_id: str,
        *,
        status: Literal["backlog", "scope", "todo", "in_progress", "in_review", "done", "wont_do"] | None = None,
        label: str | None = None,
        description: str | None = None,
        x: float | None = None,
        y: float | None = None,
        reason: str | None = None,
        priority: Literal["high", "low", "medium", "none", "urgent"] | int | None = None,
        assignee: str | None = None,
        due: str | None = None,
        labels: list[str] | None = None,
        expected_revision: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.Task:
        """Edit or move a task. PATCH /tasks/{task_id}"""
        return await self._send(
            Request(
                "PATCH",
                "/tasks/{task_id}",
                {
                    "task_id": task_id,
                    "status": status,
                    "label": label,
                    "description": description,
                    "x": x,
                    "y": y,
                    "reason": reason,
                    "priority": priority,
                    "assignee": assignee,
                    "due": due,
                    "labels": labels,
                    "expected_revision": expected_revision,
                },
                models.Task,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def create_edge(
        self,
        project_id: str,
        from_task_id: str,
        to_task_id: str,
        *,
        label: Literal["blocks", "clarifies", "depends_on", "enables", "feeds", "supports", "unblocks"] | None = None,
        style: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.EdgeResult:
        """Connect two tasks. POST /projects/{project_id}/edges"""
        return await self._send(
            Request(
                "POST",
                "/projects/{project_id}/edges",
                {
                    "project_id": project_id,
                    "from_task_id": from_task_id,
                    "to_task_id": to_task_id,
                    "label": label,
                    "style": style,
                },
                models.EdgeResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def remove_edge(
        self,
        edge_id: str,
        *,
        from_task_id: str | None = None,
        to_task_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Remove an edge. DELETE /edges/{edge_id}"""
        await self._send(
            Request(
                "DELETE",
                "/edges/{edge_id}",
                {"edge_id": edge_id, "from_task_id": from_task_id, "to_task_id": to_task_id},
                type(None),
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def list_documents(self, project_id: str, *, cursor: str | None = None) -> models.Documents:
        """List documents. GET /projects/{project_id}/documents"""
        return await self._send(
            Request(
                "GET",
                "/projects/{project_id}/documents",
                {"project_id": project_id, "cursor": cursor},
                models.Documents,
            )
        )

    async def iter_documents(self, project_id: str) -> AsyncIterator[models.DocumentRow]:
        """All items, page after page."""
        page = await self.list_documents(project_id=project_id)
        while True:
            for item in page.documents:
                yield item
            if page.next_cursor is None:
                return
            page = await self.list_documents(project_id=project_id, cursor=page.next_cursor)

    async def create_document(
        self,
        project_id: str,
        title: str,
        *,
        body: str | None = None,
        status_line: str | None = None,
        linked_task_id: str | None = None,
        parent_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.DocumentResult:
        """Create a document. POST /projects/{project_id}/documents"""
        return await self._send(
            Request(
                "POST",
                "/projects/{project_id}/documents",
                {
                    "project_id": project_id,
                    "title": title,
                    "body": body,
                    "status_line": status_line,
                    "linked_task_id": linked_task_id,
                    "parent_id": parent_id,
                },
                models.DocumentResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def get_document(self, document_id: str, *, rest: str | None = None) -> models.DocumentResult:
        """Read a document. GET /documents/{document_id}"""
        return await self._send(
            Request(
                "GET", "/documents/{document_id}", {"document_id": document_id, "rest": rest}, models.DocumentResult
            )
        )

    async def update_document(
        self,
        document_id: str,
        *,
        title: str | None = None,
        body: str | None = None,
        status_line: str | None = None,
        expected_revision: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.DocumentResult:
        """Edit a document. PATCH /documents/{document_id}"""
        return await self._send(
            Request(
                "PATCH",
                "/documents/{document_id}",
                {
                    "document_id": document_id,
                    "title": title,
                    "body": body,
                    "status_line": status_line,
                    "expected_revision": expected_revision,
                },
                models.DocumentResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def move_document(
        self, document_id: str, parent_id: str, *, idempotency_key: str | None = None
    ) -> models.DocumentResult:
        """Move a document. PUT /documents/{document_id}/parent"""
        return await self._send(
            Request(
                "PUT",
                "/documents/{document_id}/parent",
                {"document_id": document_id, "parent_id": parent_id},
                models.DocumentResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def add_comment(
        self, document_id: str, body: str, *, passage: str | None = None, idempotency_key: str | None = None
    ) -> models.CommentResult:
        """Comment. POST /documents/{document_id}/comments"""
        return await self._send(
            Request(
                "POST",
                "/documents/{document_id}/comments",
                {"document_id": document_id, "body": body, "passage": passage},
                models.CommentResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def list_comments(
        self,
        project_id: str,
        *,
        document_id: str | None = None,
        include_resolved: bool | None = None,
        cursor: str | None = None,
        rest: str | None = None,
    ) -> models.Comments:
        """List comments. GET /projects/{project_id}/comments"""
        return await self._send(
            Request(
                "GET",
                "/projects/{project_id}/comments",
                {
                    "project_id": project_id,
                    "document_id": document_id,
                    "include_resolved": include_resolved,
                    "cursor": cursor,
                    "rest": rest,
                },
                models.Comments,
            )
        )

    async def iter_comments(
        self,
        project_id: str,
        *,
        document_id: str | None = None,
        include_resolved: bool | None = None,
        rest: str | None = None,
    ) -> AsyncIterator[models.CommentResult]:
        """All items, page after page."""
        page = await self.list_comments(
            project_id=project_id, document_id=document_id, include_resolved=include_resolved, rest=rest
        )
        while True:
            for item in page.comments:
                yield item
            if page.next_cursor is None:
                return
            page = await self.list_comments(
                project_id=project_id,
                document_id=document_id,
                include_resolved=include_resolved,
                rest=rest,
                cursor=page.next_cursor,
            )

    async def resolve_comment(self, comment_id: str, *, idempotency_key: str | None = None) -> models.CommentResult:
        """Resolve a comment. POST /comments/{comment_id}/resolve"""
        return await self._send(
            Request(
                "POST",
                "/comments/{comment_id}/resolve",
                {"comment_id": comment_id},
                models.CommentResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def list_notes(self, project_id: str, *, cursor: str | None = None) -> models.Notes:
        """List notes. GET /projects/{project_id}/notes"""
        return await self._send(
            Request("GET", "/projects/{project_id}/notes", {"project_id": project_id, "cursor": cursor}, models.Notes)
        )

    async def iter_notes(self, project_id: str) -> AsyncIterator[models.NoteRow]:
        """All items, page after page."""
        page = await self.list_notes(project_id=project_id)
        while True:
            for item in page.notes:
                yield item
            if page.next_cursor is None:
                return
            page = await self.list_notes(project_id=project_id, cursor=page.next_cursor)

    async def create_note(
        self, project_id: str, title: str, *, body: str | None = None, idempotency_key: str | None = None
    ) -> models.NoteResult:
        """Create a note. POST /projects/{project_id}/notes"""
        return await self._send(
            Request(
                "POST",
                "/projects/{project_id}/notes",
                {"project_id": project_id, "title": title, "body": body},
                models.NoteResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def get_note(self, note_id: str, *, rest: str | None = None) -> models.NoteResult:
        """Read a note. GET /notes/{note_id}"""
        return await self._send(
            Request("GET", "/notes/{note_id}", {"note_id": note_id, "rest": rest}, models.NoteResult)
        )

    async def update_note(
        self,
        note_id: str,
        *,
        title: str | None = None,
        body: str | None = None,
        expected_revision: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.NoteResult:
        """Edit a note. PATCH /notes/{note_id}"""
        return await self._send(
            Request(
                "PATCH",
                "/notes/{note_id}",
                {"note_id": note_id, "title": title, "body": body, "expected_revision": expected_revision},
                models.NoteResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def list_agent_runs(self, project_id: str, *, cursor: str | None = None) -> models.AgentRuns:
        """List agent runs. GET /projects/{project_id}/agent-runs"""
        return await self._send(
            Request(
                "GET",
                "/projects/{project_id}/agent-runs",
                {"project_id": project_id, "cursor": cursor},
                models.AgentRuns,
            )
        )

    async def iter_agent_runs(self, project_id: str) -> AsyncIterator[models.RunResult]:
        """All items, page after page."""
        page = await self.list_agent_runs(project_id=project_id)
        while True:
            for item in page.runs:
                yield item
            if page.next_cursor is None:
                return
            page = await self.list_agent_runs(project_id=project_id, cursor=page.next_cursor)

    async def start_agent_run(
        self,
        project_id: str,
        *,
        label: str | None = None,
        task_id: str | None = None,
        model: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunResult:
        """Start an agent run. POST /projects/{project_id}/agent-runs"""
        return await self._send(
            Request(
                "POST",
                "/projects/{project_id}/agent-runs",
                {"project_id": project_id, "label": label, "task_id": task_id, "model": model},
                models.RunResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def record_agent_progress(
        self, run_id: str, message: str, *, idempotency_key: str | None = None
    ) -> models.RunResult:
        """Report a run's progress. POST /agent-runs/{run_id}/progress"""
        return await self._send(
            Request(
                "POST",
                "/agent-runs/{run_id}/progress",
                {"run_id": run_id, "message": message},
                models.RunResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def complete_agent_run(
        self,
        run_id: str,
        status: Literal["completed", "failed"],
        *,
        tokens: int | None = None,
        cost: float | None = None,
        result: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.RunResult:
        """End an agent run. POST /agent-runs/{run_id}/complete"""
        return await self._send(
            Request(
                "POST",
                "/agent-runs/{run_id}/complete",
                {"run_id": run_id, "status": status, "tokens": tokens, "cost": cost, "result": result},
                models.RunResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def list_submissions(
        self,
        project_id: str,
        *,
        status: Literal["accepted", "pending", "rejected"] | None = None,
        cursor: str | None = None,
        rest: str | None = None,
    ) -> models.Submissions:
        """List guests' submissions. GET /projects/{project_id}/submissions"""
        return await self._send(
            Request(
                "GET",
                "/projects/{project_id}/submissions",
                {"project_id": project_id, "status": status, "cursor": cursor, "rest": rest},
                models.Submissions,
            )
        )

    async def iter_submissions(
        self,
        project_id: str,
        *,
        status: Literal["accepted", "pending", "rejected"] | None = None,
        rest: str | None = None,
    ) -> AsyncIterator[models.GuestRequestResultsSubmissionRow]:
        """All items, page after page."""
        page = await self.list_submissions(project_id=project_id, status=status, rest=rest)
        while True:
            for item in page.submissions:
                yield item
            if page.next_cursor is None:
                return
            page = await self.list_submissions(project_id=project_id, status=status, rest=rest, cursor=page.next_cursor)

    async def triage_submission(
        self,
        submission_id: str,
        action: Literal["accept", "reject"],
        *,
        as_task: models.AsTask | None = None,
        idempotency_key: str | None = None,
    ) -> models.Triaged:
        """Triage a guest's submission. POST /submissions/{submission_id}/triage"""
        return await self._send(
            Request(
                "POST",
                "/submissions/{submission_id}/triage",
                {"submission_id": submission_id, "action": action, "as_task": as_task},
                models.Triaged,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def list_shares(self, project_id: str, *, cursor: str | None = None) -> models.Shares:
        """List shares. GET /projects/{project_id}/shares"""
        return await self._send(
            Request("GET", "/projects/{project_id}/shares", {"project_id": project_id, "cursor": cursor}, models.Shares)
        )

    async def iter_shares(self, project_id: str) -> AsyncIterator[models.ShareView]:
        """All items, page after page."""
        page = await self.list_shares(project_id=project_id)
        while True:
            for item in page.shares:
                yield item
            if page.next_cursor is None:
                return
            page = await self.list_shares(project_id=project_id, cursor=page.next_cursor)

    async def publish_project(self, project_id: str, server_url: str, sync_token: str) -> models.Published:
        """Publish on another server. POST /projects/{project_id}/publish"""
        return await self._send(
            Request(
                "POST",
                "/projects/{project_id}/publish",
                {"project_id": project_id, "server_url": server_url, "sync_token": sync_token},
                models.Published,
            )
        )

    async def sync_push(self, project_id: str) -> models.Pushed:
        """Push changes. POST /projects/{project_id}/push"""
        return await self._send(
            Request("POST", "/projects/{project_id}/push", {"project_id": project_id}, models.Pushed)
        )

    async def sync_pull(self, project_id: str) -> models.Pulled:
        """Pull guests' items. POST /projects/{project_id}/pull"""
        return await self._send(
            Request("POST", "/projects/{project_id}/pull", {"project_id": project_id}, models.Pulled)
        )

    async def list_pictures(self, *, cursor: str | None = None) -> models.Mirrors:
        """List mirrors. GET /sync/pictures"""
        return await self._send(Request("GET", "/sync/pictures", {"cursor": cursor}, models.Mirrors))

    async def iter_pictures(self) -> AsyncIterator[models.MirrorRow]:
        """All items, page after page."""
        page = await self.list_pictures()
        while True:
            for item in page.pictures:
                yield item
            if page.next_cursor is None:
                return
            page = await self.list_pictures(cursor=page.next_cursor)

    async def put_picture(
        self, source_id: str, format: int, picture: models.ShownProject, drawn_at: int, *, create: bool | None = None
    ) -> models.MirrorPlaced:
        """Place a mirror. PUT /sync/pictures/{source_id}"""
        return await self._send(
            Request(
                "PUT",
                "/sync/pictures/{source_id}",
                {"source_id": source_id, "format": format, "picture": picture, "drawn_at": drawn_at, "create": create},
                models.MirrorPlaced,
            )
        )

    async def list_picture_items(self, source_id: str) -> models.MirrorItems:
        """List a mirror's items. GET /sync/pictures/{source_id}/items"""
        return await self._send(
            Request("GET", "/sync/pictures/{source_id}/items", {"source_id": source_id}, models.MirrorItems)
        )

    async def acknowledge_items(self, source_id: str, item_ids: list[str]) -> models.ItemsAcknowledged:
        """Acknowledge items. POST /sync/pictures/{source_id}/items/acknowledge"""
        return await self._send(
            Request(
                "POST",
                "/sync/pictures/{source_id}/items/acknowledge",
                {"source_id": source_id, "item_ids": item_ids},
                models.ItemsAcknowledged,
            )
        )

    async def create_goal(
        self, project_id: str, title: str, *, description: str | None = None, idempotency_key: str | None = None
    ) -> models.GoalResult:
        """Create a goal. POST /projects/{project_id}/goals"""
        return await self._send(
            Request(
                "POST",
                "/projects/{project_id}/goals",
                {"project_id": project_id, "title": title, "description": description},
                models.GoalResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def update_goal(
        self,
        goal_id: str,
        *,
        title: str | None = None,
        description: str | None = None,
        position: int | None = None,
        expected_revision: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.GoalResult:
        """Edit a goal. PATCH /goals/{goal_id}"""
        return await self._send(
            Request(
                "PATCH",
                "/goals/{goal_id}",
                {
                    "goal_id": goal_id,
                    "title": title,
                    "description": description,
                    "position": position,
                    "expected_revision": expected_revision,
                },
                models.GoalResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def draft_spec(
        self,
        *,
        project_id: str | None = None,
        spec_id: str | None = None,
        title: str | None = None,
        summary: str | None = None,
        results: list[str] | None = None,
        conditions: list[str] | None = None,
        boundaries: list[str] | None = None,
        task_id: str | None = None,
        draft_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.DraftSaved:
        """Draft a spec. POST /drafts/spec"""
        return await self._send(
            Request(
                "POST",
                "/drafts/spec",
                {
                    "project_id": project_id,
                    "spec_id": spec_id,
                    "title": title,
                    "summary": summary,
                    "results": results,
                    "conditions": conditions,
                    "boundaries": boundaries,
                    "task_id": task_id,
                    "draft_id": draft_id,
                },
                models.DraftSaved,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def draft_plan(
        self,
        spec_id: str,
        *,
        approach: str | None = None,
        actions: list[models.ActionOfDraft] | None = None,
        task_id: str | None = None,
        draft_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.DraftSaved:
        """Draft a plan. POST /drafts/plan"""
        return await self._send(
            Request(
                "POST",
                "/drafts/plan",
                {
                    "spec_id": spec_id,
                    "approach": approach,
                    "actions": actions,
                    "task_id": task_id,
                    "draft_id": draft_id,
                },
                models.DraftSaved,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def get_draft(self, draft_id: str, *, spec_id: str | None = None, rest: str | None = None) -> models.Draft:
        """Read a draft. GET /drafts/{draft_id}"""
        return await self._send(
            Request("GET", "/drafts/{draft_id}", {"draft_id": draft_id, "spec_id": spec_id, "rest": rest}, models.Draft)
        )

    async def list_proposals(self, *, project_id: str | None = None, spec_id: str | None = None) -> models.Proposals:
        """List proposals. GET /proposals"""
        return await self._send(
            Request("GET", "/proposals", {"project_id": project_id, "spec_id": spec_id}, models.Proposals)
        )

    async def get_proposal(self, draft_id: str) -> models.ProposalView:
        """Read a proposal. GET /proposals/{draft_id}"""
        return await self._send(Request("GET", "/proposals/{draft_id}", {"draft_id": draft_id}, models.ProposalView))

    async def list_specs(self, project_id: str, *, cursor: str | None = None) -> models.Specs:
        """List specs. GET /projects/{project_id}/specs"""
        return await self._send(
            Request("GET", "/projects/{project_id}/specs", {"project_id": project_id, "cursor": cursor}, models.Specs)
        )

    async def iter_specs(self, project_id: str) -> AsyncIterator[models.ListSpecsSpecRow]:
        """All items, page after page."""
        page = await self.list_specs(project_id=project_id)
        while True:
            for item in page.specs:
                yield item
            if page.next_cursor is None:
                return
            page = await self.list_specs(project_id=project_id, cursor=page.next_cursor)

    async def create_spec(
        self,
        project_id: str,
        title: str,
        *,
        summary: str | None = None,
        results: list[str] | None = None,
        conditions: list[str] | None = None,
        boundaries: list[str] | None = None,
        goal_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.SpecResult:
        """Create a spec. POST /projects/{project_id}/specs"""
        return await self._send(
            Request(
                "POST",
                "/projects/{project_id}/specs",
                {
                    "project_id": project_id,
                    "title": title,
                    "summary": summary,
                    "results": results,
                    "conditions": conditions,
                    "boundaries": boundaries,
                    "goal_id": goal_id,
                },
                models.SpecResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def list_available_specs(self, *, cursor: str | None = None) -> models.AvailableSpecs:
        """List available work. GET /specs"""
        return await self._send(Request("GET", "/specs", {"cursor": cursor}, models.AvailableSpecs))

    async def get_spec_draft(self, spec_id: str, *, plan_id: str | None = None) -> models.SpecDraft:
        """Read a spec's draft. GET /specs/{spec_id}"""
        return await self._send(
            Request("GET", "/specs/{spec_id}", {"spec_id": spec_id, "plan_id": plan_id}, models.SpecDraft)
        )

    async def update_spec(
        self,
        spec_id: str,
        *,
        title: str | None = None,
        summary: str | None = None,
        results: list[str] | None = None,
        conditions: list[str] | None = None,
        boundaries: list[str] | None = None,
        goal_id: str | None = None,
        expected_revision: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.SpecResult:
        """Edit a spec. PATCH /specs/{spec_id}"""
        return await self._send(
            Request(
                "PATCH",
                "/specs/{spec_id}",
                {
                    "spec_id": spec_id,
                    "title": title,
                    "summary": summary,
                    "results": results,
                    "conditions": conditions,
                    "boundaries": boundaries,
                    "goal_id": goal_id,
                    "expected_revision": expected_revision,
                },
                models.SpecResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def get_spec(self, spec_pid: str, *, cursor: str | None = None, rest: str | None = None) -> models.WholeSpec:
        """Read a spec. GET /specs/{spec_pid}/published"""
        return await self._send(
            Request(
                "GET",
                "/specs/{spec_pid}/published",
                {"spec_pid": spec_pid, "cursor": cursor, "rest": rest},
                models.WholeSpec,
            )
        )

    async def add_participant(
        self, spec_id: str, user_id: str, *, idempotency_key: str | None = None
    ) -> models.Participants:
        """Add a participant. PUT /specs/{spec_id}/participants/{user_id}"""
        return await self._send(
            Request(
                "PUT",
                "/specs/{spec_id}/participants/{user_id}",
                {"spec_id": spec_id, "user_id": user_id},
                models.Participants,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def remove_participant(self, spec_id: str, user_id: str, *, idempotency_key: str | None = None) -> None:
        """Remove a participant. DELETE /specs/{spec_id}/participants/{user_id}"""
        await self._send(
            Request(
                "DELETE",
                "/specs/{spec_id}/participants/{user_id}",
                {"spec_id": spec_id, "user_id": user_id},
                type(None),
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def create_plan(
        self, spec_id: str, title: str, *, approach: str | None = None, idempotency_key: str | None = None
    ) -> models.PlanResult:
        """Create a plan. POST /specs/{spec_id}/plans"""
        return await self._send(
            Request(
                "POST",
                "/specs/{spec_id}/plans",
                {"spec_id": spec_id, "title": title, "approach": approach},
                models.PlanResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def update_plan(
        self,
        plan_id: str,
        *,
        title: str | None = None,
        approach: str | None = None,
        expected_revision: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.PlanResult:
        """Edit a plan. PATCH /plans/{plan_id}"""
        return await self._send(
            Request(
                "PATCH",
                "/plans/{plan_id}",
                {"plan_id": plan_id, "title": title, "approach": approach, "expected_revision": expected_revision},
                models.PlanResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def activate_plan(self, plan_id: str, *, idempotency_key: str | None = None) -> models.PlanResult:
        """Activate a plan. POST /plans/{plan_id}/activate"""
        return await self._send(
            Request(
                "POST",
                "/plans/{plan_id}/activate",
                {"plan_id": plan_id},
                models.PlanResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def order_actions(
        self, plan_id: str, action_ids: list[str], *, idempotency_key: str | None = None
    ) -> models.ActionsOrdered:
        """Order the actions of a plan. PUT /plans/{plan_id}/actions/order"""
        return await self._send(
            Request(
                "PUT",
                "/plans/{plan_id}/actions/order",
                {"plan_id": plan_id, "action_ids": action_ids},
                models.ActionsOrdered,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def preview_build(self, spec_id: str, *, action_id: str | None = None) -> models.BuildPreview:
        """Preview a build. GET /specs/{spec_id}/preview"""
        return await self._send(
            Request(
                "GET", "/specs/{spec_id}/preview", {"spec_id": spec_id, "action_id": action_id}, models.BuildPreview
            )
        )

    async def compare_builds(
        self, spec_id: str, to_build: int, *, from_build: int | None = None
    ) -> models.BuildsCompared:
        """Compare builds. GET /specs/{spec_id}/builds/compare"""
        return await self._send(
            Request(
                "GET",
                "/specs/{spec_id}/builds/compare",
                {"spec_id": spec_id, "to_build": to_build, "from_build": from_build},
                models.BuildsCompared,
            )
        )

    async def list_builds(self, spec_id: str, *, cursor: int | None = None) -> models.Builds:
        """List builds. GET /specs/{spec_id}/builds"""
        return await self._send(
            Request("GET", "/specs/{spec_id}/builds", {"spec_id": spec_id, "cursor": cursor}, models.Builds)
        )

    async def iter_builds(self, spec_id: str) -> AsyncIterator[models.BuildRow]:
        """All items, page after page."""
        page = await self.list_builds(spec_id=spec_id)
        while True:
            for item in page.builds:
                yield item
            if page.next_cursor is None:
                return
            page = await self.list_builds(spec_id=spec_id, cursor=page.next_cursor)

    async def publish_build(self, spec_id: str, *, idempotency_key: str | None = None) -> models.BuildPublished:
        """Publish a build. POST /specs/{spec_id}/builds"""
        return await self._send(
            Request(
                "POST",
                "/specs/{spec_id}/builds",
                {"spec_id": spec_id},
                models.BuildPublished,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def list_actions(
        self,
        project_id: str,
        *,
        state: Literal["backlog", "scope", "todo", "in_progress", "in_review", "changes_requested", "done", "wont_do"]
        | None = None,
        cursor: str | None = None,
    ) -> models.Actions:
        """List actions. GET /projects/{project_id}/actions"""
        return await self._send(
            Request(
                "GET",
                "/projects/{project_id}/actions",
                {"project_id": project_id, "state": state, "cursor": cursor},
                models.Actions,
            )
        )

    async def iter_actions(
        self,
        project_id: str,
        *,
        state: Literal["backlog", "scope", "todo", "in_progress", "in_review", "changes_requested", "done", "wont_do"]
        | None = None,
    ) -> AsyncIterator[models.ListActionsActionRow]:
        """All items, page after page."""
        page = await self.list_actions(project_id=project_id, state=state)
        while True:
            for item in page.actions:
                yield item
            if page.next_cursor is None:
                return
            page = await self.list_actions(project_id=project_id, state=state, cursor=page.next_cursor)

    async def create_action(
        self,
        label: str,
        project_id: str,
        *,
        spec_id: str | None = None,
        plan_id: str | None = None,
        description: str | None = None,
        area: str | None = None,
        paths: list[str] | None = None,
        state: Literal["backlog", "scope", "todo"] | None = None,
        priority: Literal["high", "low", "medium", "none", "urgent"] | int | None = None,
        x: float | None = None,
        y: float | None = None,
        criteria: list[str] | None = None,
        prerequisites: list[str] | None = None,
        assignee: str | None = None,
        due: str | None = None,
        labels: list[str] | None = None,
        idempotency_key: str | None = None,
    ) -> models.PlannedAction:
        """Create an action. POST /projects/{project_id}/actions"""
        return await self._send(
            Request(
                "POST",
                "/projects/{project_id}/actions",
                {
                    "label": label,
                    "project_id": project_id,
                    "spec_id": spec_id,
                    "plan_id": plan_id,
                    "description": description,
                    "area": area,
                    "paths": paths,
                    "state": state,
                    "priority": priority,
                    "x": x,
                    "y": y,
                    "criteria": criteria,
                    "prerequisites": prerequisites,
                    "assignee": assignee,
                    "due": due,
                    "labels": labels,
                },
                models.PlannedAction,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def suggest_actions(
        self, project_id: str, *, query: str | None = None, action_id: str | None = None
    ) -> models.ActionSuggestions:
        """Suggest actions. GET /projects/{project_id}/suggestions"""
        return await self._send(
            Request(
                "GET",
                "/projects/{project_id}/suggestions",
                {"project_id": project_id, "query": query, "action_id": action_id},
                models.ActionSuggestions,
            )
        )

    async def get_action(self, action_id: str) -> models.WholeAction:
        """Read an action. GET /actions/{action_id}"""
        return await self._send(Request("GET", "/actions/{action_id}", {"action_id": action_id}, models.WholeAction))

    async def update_action(
        self,
        action_id: str,
        *,
        label: str | None = None,
        description: str | None = None,
        area: str | None = None,
        paths: list[str] | None = None,
        state: Literal["backlog", "scope", "todo", "in_progress", "in_review", "changes_requested", "done", "wont_do"]
        | None = None,
        reason: str | None = None,
        release_dependents: bool | None = None,
        priority: Literal["high", "low", "medium", "none", "urgent"] | int | None = None,
        position: int | None = None,
        x: float | None = None,
        y: float | None = None,
        assignee: str | None = None,
        due: str | None = None,
        labels: list[str] | None = None,
        expected_revision: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.PlannedAction:
        """Edit or move an action. PATCH /actions/{action_id}"""
        return await self._send(
            Request(
                "PATCH",
                "/actions/{action_id}",
                {
                    "action_id": action_id,
                    "label": label,
                    "description": description,
                    "area": area,
                    "paths": paths,
                    "state": state,
                    "reason": reason,
                    "release_dependents": release_dependents,
                    "priority": priority,
                    "position": position,
                    "x": x,
                    "y": y,
                    "assignee": assignee,
                    "due": due,
                    "labels": labels,
                    "expected_revision": expected_revision,
                },
                models.PlannedAction,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def move_action(
        self,
        action_id: str,
        *,
        spec_id: str | None = None,
        plan_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.PlannedAction:
        """Move an action to another spec or plan. POST /actions/{action_id}/move"""
        return await self._send(
            Request(
                "POST",
                "/actions/{action_id}/move",
                {"action_id": action_id, "spec_id": spec_id, "plan_id": plan_id},
                models.PlannedAction,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def order_criteria(
        self,
        action_id: str,
        criterion_ids: list[str],
        *,
        expected_revision: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.PlannedAction:
        """Order the criteria of an action. PUT /actions/{action_id}/criteria/order"""
        return await self._send(
            Request(
                "PUT",
                "/actions/{action_id}/criteria/order",
                {"action_id": action_id, "criterion_ids": criterion_ids, "expected_revision": expected_revision},
                models.PlannedAction,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def create_criterion(
        self, action_id: str, text: str, *, expected_revision: int | None = None, idempotency_key: str | None = None
    ) -> models.PlannedAction:
        """Add a criterion. POST /actions/{action_id}/criteria"""
        return await self._send(
            Request(
                "POST",
                "/actions/{action_id}/criteria",
                {"action_id": action_id, "text": text, "expected_revision": expected_revision},
                models.PlannedAction,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def attach_evidence(
        self,
        name: str,
        action_id: str,
        criterion_id: str,
        content: bytes,
        *,
        media_type: str | None = None,
        claim_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.AttachmentView:
        """Attach evidence to a criterion. POST /actions/{action_id}/criteria/{criterion_id}/attachments"""
        return await self._send(
            Request(
                "POST",
                "/actions/{action_id}/criteria/{criterion_id}/attachments",
                {
                    "name": name,
                    "media_type": media_type,
                    "action_id": action_id,
                    "criterion_id": criterion_id,
                    "claim_id": claim_id,
                },
                models.AttachmentView,
                idempotency_key=idempotency_key or new_idempotency_key(),
                content=content,
            )
        )

    async def update_criterion(
        self,
        criterion_id: str,
        *,
        text: str | None = None,
        position: int | None = None,
        expected_revision: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.PlannedAction:
        """Edit a criterion. PATCH /criteria/{criterion_id}"""
        return await self._send(
            Request(
                "PATCH",
                "/criteria/{criterion_id}",
                {
                    "criterion_id": criterion_id,
                    "text": text,
                    "position": position,
                    "expected_revision": expected_revision,
                },
                models.PlannedAction,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def remove_criterion(
        self, criterion_id: str, *, expected_revision: int | None = None, idempotency_key: str | None = None
    ) -> None:
        """Remove a criterion. DELETE /criteria/{criterion_id}"""
        await self._send(
            Request(
                "DELETE",
                "/criteria/{criterion_id}",
                {"criterion_id": criterion_id, "expected_revision": expected_revision},
                type(None),
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def restore_criterion(self, criterion_id: str, *, idempotency_key: str | None = None) -> models.PlannedAction:
        """Restore a criterion. POST /criteria/{criterion_id}/restore"""
        return await self._send(
            Request(
                "POST",
                "/criteria/{criterion_id}/restore",
                {"criterion_id": criterion_id},
                models.PlannedAction,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def convert_criterion(
        self, criterion_id: str, *, expected_revision: int | None = None, idempotency_key: str | None = None
    ) -> models.PlannedAction:
        """Make a criterion an action. POST /criteria/{criterion_id}/convert"""
        return await self._send(
            Request(
                "POST",
                "/criteria/{criterion_id}/convert",
                {"criterion_id": criterion_id, "expected_revision": expected_revision},
                models.PlannedAction,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def get_review(self, action_id: str) -> models.ReviewPage:
        """See a submission. GET /actions/{action_id}/review"""
        return await self._send(
            Request("GET", "/actions/{action_id}/review", {"action_id": action_id}, models.ReviewPage)
        )

    async def get_change(
        self, action_id: str, *, submission_number: int | None = None, part: Literal["change", "since"] | None = None
    ) -> models.ChangeView:
        """See a change. GET /actions/{action_id}/change"""
        return await self._send(
            Request(
                "GET",
                "/actions/{action_id}/change",
                {"action_id": action_id, "submission_number": submission_number, "part": part},
                models.ChangeView,
            )
        )

    async def push_change(self, action_id: str, content: bytes, *, claim_id: str | None = None) -> models.ChangePushed:
        """Push a change. POST /actions/{action_id}/change"""
        return await self._send(
            Request(
                "POST",
                "/actions/{action_id}/change",
                {"action_id": action_id, "claim_id": claim_id},
                models.ChangePushed,
                content=content,
            )
        )

    async def get_change_file(
        self,
        action_id: str,
        position: int,
        *,
        submission_number: int | None = None,
        part: Literal["change", "since"] | None = None,
    ) -> models.FileOfChange:
        """See a file of a change. GET /actions/{action_id}/change/file"""
        return await self._send(
            Request(
                "GET",
                "/actions/{action_id}/change/file",
                {"action_id": action_id, "position": position, "submission_number": submission_number, "part": part},
                models.FileOfChange,
            )
        )

    async def claim_action(
        self,
        action_pid: str,
        *,
        agent_model: str | None = None,
        take_over: bool | None = None,
        claim_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.ClaimedAction:
        """Claim an action. POST /actions/{action_pid}/claim"""
        return await self._send(
            Request(
                "POST",
                "/actions/{action_pid}/claim",
                {"action_pid": action_pid, "agent_model": agent_model, "take_over": take_over, "claim_id": claim_id},
                models.ClaimedAction,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def get_action_brief(
        self, action_pid: str, *, brief_rev: str | None = None, rest: str | None = None
    ) -> models.Brief:
        """Read an action's brief. GET /actions/{action_pid}/brief"""
        return await self._send(
            Request(
                "GET",
                "/actions/{action_pid}/brief",
                {"action_pid": action_pid, "brief_rev": brief_rev, "rest": rest},
                models.Brief,
            )
        )

    async def preview_brief(self, action_id: str) -> models.Brief:
        """Preview a brief. GET /actions/{action_id}/brief/preview"""
        return await self._send(
            Request("GET", "/actions/{action_id}/brief/preview", {"action_id": action_id}, models.Brief)
        )

    async def release_action(
        self,
        action_pid: str,
        *,
        claim_id: str | None = None,
        brief_rev: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.ActionResult:
        """Release an action. POST /actions/{action_pid}/release"""
        return await self._send(
            Request(
                "POST",
                "/actions/{action_pid}/release",
                {"action_pid": action_pid, "claim_id": claim_id, "brief_rev": brief_rev},
                models.ActionResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def update_progress(
        self,
        action_pid: str,
        status: Literal["not-started", "started", "wont-do"],
        message: str,
        *,
        claim_id: str | None = None,
        brief_rev: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.ActionResult:
        """Report progress. POST /actions/{action_pid}/progress"""
        return await self._send(
            Request(
                "POST",
                "/actions/{action_pid}/progress",
                {
                    "action_pid": action_pid,
                    "status": status,
                    "message": message,
                    "claim_id": claim_id,
                    "brief_rev": brief_rev,
                },
                models.ActionResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def request_clarification(
        self,
        action_pid: str,
        question: str,
        *,
        claim_id: str | None = None,
        brief_rev: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.ClarificationResult:
        """Ask a blocking question. POST /actions/{action_pid}/clarifications"""
        return await self._send(
            Request(
                "POST",
                "/actions/{action_pid}/clarifications",
                {"action_pid": action_pid, "question": question, "claim_id": claim_id, "brief_rev": brief_rev},
                models.ClarificationResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def report_commit(
        self,
        action_pid: str,
        sha: str,
        message: str,
        *,
        files_changed: int | None = None,
        criterion_ids: list[str] | None = None,
        branch: str | None = None,
        claim_id: str | None = None,
        brief_rev: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.CommitReported:
        """Report a commit. POST /actions/{action_pid}/commits"""
        return await self._send(
            Request(
                "POST",
                "/actions/{action_pid}/commits",
                {
                    "action_pid": action_pid,
                    "sha": sha,
                    "message": message,
                    "files_changed": files_changed,
                    "criterion_ids": criterion_ids,
                    "branch": branch,
                    "claim_id": claim_id,
                    "brief_rev": brief_rev,
                },
                models.CommitReported,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def report_test_result(
        self,
        action_pid: str,
        criterion_id: str,
        outcome: Literal["passed", "failed"],
        *,
        evidence: str | None = None,
        claim_id: str | None = None,
        brief_rev: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.ResultReported:
        """Report a test result. POST /actions/{action_pid}/test-results"""
        return await self._send(
            Request(
                "POST",
                "/actions/{action_pid}/test-results",
                {
                    "action_pid": action_pid,
                    "criterion_id": criterion_id,
                    "outcome": outcome,
                    "evidence": evidence,
                    "claim_id": claim_id,
                    "brief_rev": brief_rev,
                },
                models.ResultReported,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def upload_test_report(
        self,
        action_pid: str,
        format: Literal["junit", "tap"],
        content: bytes,
        *,
        sha: str | None = None,
        mapping: dict[str, str] | None = None,
        claim_id: str | None = None,
        brief_rev: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.ReportUploaded:
        """Upload a test report. POST /actions/{action_pid}/test-reports"""
        return await self._send(
            Request(
                "POST",
                "/actions/{action_pid}/test-reports",
                {
                    "action_pid": action_pid,
                    "format": format,
                    "sha": sha,
                    "mapping": mapping,
                    "claim_id": claim_id,
                    "brief_rev": brief_rev,
                },
                models.ReportUploaded,
                idempotency_key=idempotency_key or new_idempotency_key(),
                content=content,
            )
        )

    async def submit_for_review(
        self,
        action_pid: str,
        summary: str,
        *,
        pr_url: str | None = None,
        branch: str | None = None,
        head_sha: str | None = None,
        evidence: list[models.EvidenceEntry] | None = None,
        unmet: list[models.UnmetEntry] | None = None,
        commands: list[models.CommandEntry] | None = None,
        claim_id: str | None = None,
        brief_rev: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.ActionResult:
        """Submit for review. POST /actions/{action_pid}/submit"""
        return await self._send(
            Request(
                "POST",
                "/actions/{action_pid}/submit",
                {
                    "action_pid": action_pid,
                    "summary": summary,
                    "pr_url": pr_url,
                    "branch": branch,
                    "head_sha": head_sha,
                    "evidence": evidence,
                    "unmet": unmet,
                    "commands": commands,
                    "claim_id": claim_id,
                    "brief_rev": brief_rev,
                },
                models.ActionResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def resubmit_for_review(
        self,
        action_pid: str,
        summary: str,
        *,
        pr_url: str | None = None,
        branch: str | None = None,
        head_sha: str | None = None,
        evidence: list[models.EvidenceEntry] | None = None,
        unmet: list[models.UnmetEntry] | None = None,
        commands: list[models.CommandEntry] | None = None,
        claim_id: str | None = None,
        brief_rev: str | None = None,
        dispositions: list[models.DispositionEntry] | None = None,
        idempotency_key: str | None = None,
    ) -> models.ActionResult:
        """Resubmit for review. POST /actions/{action_pid}/resubmit"""
        return await self._send(
            Request(
                "POST",
                "/actions/{action_pid}/resubmit",
                {
                    "action_pid": action_pid,
                    "summary": summary,
                    "pr_url": pr_url,
                    "branch": branch,
                    "head_sha": head_sha,
                    "evidence": evidence,
                    "unmet": unmet,
                    "commands": commands,
                    "claim_id": claim_id,
                    "brief_rev": brief_rev,
                    "dispositions": dispositions,
                },
                models.ActionResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def list_watchers(self, object_id: str) -> models.Watchers:
        """List watchers. GET /watches/{object_id}"""
        return await self._send(Request("GET", "/watches/{object_id}", {"object_id": object_id}, models.Watchers))

    async def get_inbox(
        self,
        *,
        kind: Literal[
            "claim", "dropped", "guest", "mention", "proposal", "question", "review", "rework", "take_over", "watched"
        ]
        | None = None,
        project_id: str | None = None,
        cursor: str | None = None,
    ) -> models.Inbox:
        """See what needs a person. GET /inbox"""
        return await self._send(
            Request("GET", "/inbox", {"kind": kind, "project_id": project_id, "cursor": cursor}, models.Inbox)
        )

    async def get_first_steps(self) -> models.FirstSteps:
        """See the first steps. GET /first-steps"""
        return await self._send(Request("GET", "/first-steps", {}, models.FirstSteps))

    async def propose_key(self, name: str) -> models.ProposedKey:
        """Propose a project's key. GET /proposed-key"""
        return await self._send(Request("GET", "/proposed-key", {"name": name}, models.ProposedKey))

    async def get_clarification(self, clarification_pid: str) -> models.ClarificationResult:
        """Read a question. GET /clarifications/{clarification_pid}"""
        return await self._send(
            Request(
                "GET",
                "/clarifications/{clarification_pid}",
                {"clarification_pid": clarification_pid},
                models.ClarificationResult,
            )
        )

    async def answer_clarification(
        self,
        clarification_pid: str,
        answer: str,
        *,
        claim_id: str | None = None,
        brief_rev: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.ClarificationResult:
        """Relay an answer. POST /clarifications/{clarification_pid}/relay"""
        return await self._send(
            Request(
                "POST",
                "/clarifications/{clarification_pid}/relay",
                {
                    "clarification_pid": clarification_pid,
                    "answer": answer,
                    "claim_id": claim_id,
                    "brief_rev": brief_rev,
                },
                models.ClarificationResult,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def put_attachment(
        self,
        name: str,
        content: bytes,
        *,
        media_type: str | None = None,
        spec_pid: str | None = None,
        document_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.AttachmentView:
        """Attach a file. POST /attachments"""
        return await self._send(
            Request(
                "POST",
                "/attachments",
                {"name": name, "media_type": media_type, "spec_pid": spec_pid, "document_id": document_id},
                models.AttachmentView,
                idempotency_key=idempotency_key or new_idempotency_key(),
                content=content,
            )
        )

    async def get_attachment_url(self, attachment_pid: str) -> models.AttachmentUrl:
        """Get an attachment's link. GET /attachments/{attachment_pid}/url"""
        return await self._send(
            Request(
                "GET", "/attachments/{attachment_pid}/url", {"attachment_pid": attachment_pid}, models.AttachmentUrl
            )
        )

    async def get_workspace(self) -> models.WorkspaceSettings:
        """Read the workspace's settings. GET /workspace"""
        return await self._send(Request("GET", "/workspace", {}, models.WorkspaceSettings))

    async def list_members(self, *, cursor: str | None = None) -> models.MemberList:
        """List members. GET /members"""
        return await self._send(Request("GET", "/members", {"cursor": cursor}, models.MemberList))

    async def iter_members(self) -> AsyncIterator[models.MemberView]:
        """All items, page after page."""
        page = await self.list_members()
        while True:
            for item in page.members:
                yield item
            if page.next_cursor is None:
                return
            page = await self.list_members(cursor=page.next_cursor)

    async def list_assignees(self) -> models.Assignees:
        """List assignees. GET /assignees"""
        return await self._send(Request("GET", "/assignees", {}, models.Assignees))

    async def get_github_webhook(self, project_id: str) -> models.WebhookView:
        """Read the GitHub webhook. GET /projects/{project_id}/github-webhook"""
        return await self._send(
            Request("GET", "/projects/{project_id}/github-webhook", {"project_id": project_id}, models.WebhookView)
        )

    async def get_insights(self, *, project_id: str | None = None, days: int | None = None) -> models.Insights:
        """How the work goes. GET /insights"""
        return await self._send(Request("GET", "/insights", {"project_id": project_id, "days": days}, models.Insights))

    async def list_revisions(
        self, object_id: str, *, revision: int | None = None, cursor: int | None = None
    ) -> models.Revisions:
        """List revisions. GET /revisions/{object_id}"""
        return await self._send(
            Request(
                "GET",
                "/revisions/{object_id}",
                {"object_id": object_id, "revision": revision, "cursor": cursor},
                models.Revisions,
            )
        )

    async def iter_revisions(self, object_id: str, *, revision: int | None = None) -> AsyncIterator[models.RevisionRow]:
        """All items, page after page."""
        page = await self.list_revisions(object_id=object_id, revision=revision)
        while True:
            for item in page.revisions:
                yield item
            if page.next_cursor is None:
                return
            page = await self.list_revisions(object_id=object_id, revision=revision, cursor=page.next_cursor)

    async def compare_revisions(
        self,
        object_id: str,
        *,
        from_revision: int | None = None,
        to_revision: int | None = None,
        restored_revision: int | None = None,
        draft: dict[str, str] | None = None,
    ) -> models.RevisionsCompared:
        """Compare revisions. POST /revisions/{object_id}/compare"""
        return await self._send(
            Request(
                "POST",
                "/revisions/{object_id}/compare",
                {
                    "object_id": object_id,
                    "from_revision": from_revision,
                    "to_revision": to_revision,
                    "restored_revision": restored_revision,
                    "draft": draft,
                },
                models.RevisionsCompared,
            )
        )

    async def restore_revision(
        self, object_id: str, revision: int, *, expected_revision: int | None = None, idempotency_key: str | None = None
    ) -> models.Restored:
        """Restore a revision. POST /revisions/{object_id}/restore"""
        return await self._send(
            Request(
                "POST",
                "/revisions/{object_id}/restore",
                {"object_id": object_id, "revision": revision, "expected_revision": expected_revision},
                models.Restored,
                idempotency_key=idempotency_key or new_idempotency_key(),
            )
        )

    async def search(
        self,
        query: str,
        *,
        project_id: str | None = None,
        kind: Literal["action", "document", "note", "spec"] | None = None,
        status: Literal["backlog", "scope", "todo", "in_progress", "in_review", "changes_requested", "done", "wont_do"]
        | None = None,
        user_pid: str | None = None,
    ) -> models.SearchResults:
        """Search. GET /search"""
        return await self._send(
            Request(
                "GET",
                "/search",
                {"query": query, "project_id": project_id, "kind": kind, "status": status, "user_pid": user_pid},
                models.SearchResults,
            )
        )

    async def get_timeline(
        self,
        *,
        project_id: str | None = None,
        action_pid: str | None = None,
        user_pid: str | None = None,
        model: str | None = None,
        kind: list[str] | None = None,
        cursor: int | None = None,
        limit: int | None = None,
        imported: bool | None = None,
    ) -> models.Timeline:
        """Read the timeline. GET /timeline"""
        return await self._send(
            Request(
                "GET",
                "/timeline",
                {
                    "project_id": project_id,
                    "action_pid": action_pid,
                    "user_pid": user_pid,
                    "model": model,
                    "kind": kind,
                    "cursor": cursor,
                    "limit": limit,
                    "imported": imported,
                },
                models.Timeline,
            )
        )

    async def get_replay(
        self, project_id: str, *, after: int | None = None, newest: int | None = None
    ) -> models.Replay:
        """Play a project again. GET /projects/{project_id}/replay"""
        return await self._send(
            Request(
                "GET",
                "/projects/{project_id}/replay",
                {"project_id": project_id, "after": after, "newest": newest},
                models.Replay,
            )
        )

    async def list_imported_events(
        self, project_id: str, *, after: int | None = None, limit: int | None = None
    ) -> models.Events:
        """List imported events. GET /projects/{project_id}/imported-events"""
        return await self._send(
            Request(
                "GET",
                "/projects/{project_id}/imported-events",
                {"project_id": project_id, "after": after, "limit": limit},
                models.Events,
            )
        )

    async def iter_imported_events(
        self, project_id: str, *, limit: int | None = None
    ) -> AsyncIterator[models.EventRow]:
        """All items, page after page."""
        page = await self.list_imported_events(project_id=project_id, limit=limit)
        while True:
            for item in page.events:
                yield item
            if page.next_cursor is None:
                return
            page = await self.list_imported_events(project_id=project_id, limit=limit, after=page.next_cursor)

    async def list_events(
        self,
        *,
        project_id: str | None = None,
        action_pid: str | None = None,
        user_pid: str | None = None,
        model: str | None = None,
        kind: list[str] | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> models.Events:
        """List events. GET /log"""
        return await self._send(
            Request(
                "GET",
                "/log",
                {
                    "project_id": project_id,
                    "action_pid": action_pid,
                    "user_pid": user_pid,
                    "model": model,
                    "kind": kind,
                    "after": after,
                    "limit": limit,
                },
                models.Events,
            )
        )

    async def iter_events(
        self,
        *,
        project_id: str | None = None,
        action_pid: str | None = None,
        user_pid: str | None = None,
        model: str | None = None,
        kind: list[str] | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[models.EventRow]:
        """All items, page after page."""
        page = await self.list_events(
            project_id=project_id, action_pid=action_pid, user_pid=user_pid, model=model, kind=kind, limit=limit
        )
        while True:
            for item in page.events:
                yield item
            if page.next_cursor is None:
                return
            page = await self.list_events(
                project_id=project_id,
                action_pid=action_pid,
                user_pid=user_pid,
                model=model,
                kind=kind,
                limit=limit,
                after=page.next_cursor,
            )
