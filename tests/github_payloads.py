"""Deliveries in the form GitHub sends them, cut to what matters: the fields are those of the real ones."""

import hashlib
import hmac
import json
from typing import Any

from pendesk.ids import new_id

FULL_NAME = "acme/harbor"
PAGE = f"https://github.com/{FULL_NAME}"
BEFORE = "b" * 40


def sha(number: int) -> str:
    return hashlib.sha1(str(number).encode()).hexdigest()


def repository(full_name: str = FULL_NAME) -> dict[str, Any]:
    owner, name = full_name.split("/")
    return {
        "id": 186853002,
        "node_id": "MDEwOlJlcG9zaXRvcnkxODY4NTMwMDI=",
        "name": name,
        "full_name": full_name,
        "private": True,
        "owner": {"login": owner, "id": 21031067, "type": "Organization"},
        "html_url": f"https://github.com/{full_name}",
        "url": f"https://api.github.com/repos/{full_name}",
        "default_branch": "main",
    }


def sender() -> dict[str, Any]:
    return {"login": "octocat", "id": 583231, "type": "User"}


def commit(number: int, message: str, *, distinct: bool = True, files: int = 2) -> dict[str, Any]:
    return {
        "id": sha(number),
        "tree_id": sha(number + 1_000_000),
        "distinct": distinct,
        "message": message,
        "timestamp": "2026-07-01T10:00:00+02:00",
        "url": f"{PAGE}/commit/{sha(number)}",
        "author": {"name": "Octo Cat", "email": "octocat@example.com", "username": "octocat"},
        "committer": {"name": "GitHub", "email": "noreply@github.com", "username": "web-flow"},
        "added": [f"src/{each}.py" for each in range(1, files)],
        "removed": [],
        "modified": ["README.md"],
    }


def push(
    commits: list[dict[str, Any]], *, branch: str = "main", before: str = BEFORE, forced: bool = False
) -> dict[str, Any]:
    after = commits[-1]["id"] if commits else sha(0)
    return {
        "ref": f"refs/heads/{branch}",
        "before": before,
        "after": after,
        "repository": repository(),
        "pusher": {"name": "octocat", "email": "octocat@example.com"},
        "sender": sender(),
        "created": False,
        "deleted": False,
        "forced": forced,
        "base_ref": None,
        "compare": f"{PAGE}/compare/{before[:12]}...{after[:12]}",
        "commits": commits,
        "head_commit": commits[-1] if commits else None,
    }


def pull_request(
    number: int,
    head: str,
    *,
    action: str = "synchronize",
    state: str = "open",
    merged: bool = False,
    minute: int = 0,
    draft: bool = False,
    mergeable_state: str = "unknown",
) -> dict[str, Any]:
    moment = f"2026-07-01T10:{minute:02d}:00Z"
    return {
        "action": action,
        "number": number,
        "pull_request": {
            "url": f"https://api.github.com/repos/{FULL_NAME}/pulls/{number}",
            "id": 279147437,
            "html_url": f"{PAGE}/pull/{number}",
            "number": number,
            "state": state,
            "locked": False,
            "title": "Sign in with a password",
            "user": sender(),
            "body": "Closes HRB-1",
            "created_at": "2026-07-01T09:00:00Z",
            "updated_at": moment,
            "closed_at": None if state == "open" else moment,
            "merged_at": moment if merged else None,
            "merged": merged,
            "draft": draft,
            "mergeable_state": mergeable_state,
            "head": {"label": "acme:feature", "ref": "feature", "sha": head, "repo": repository()},
            "base": {"label": "acme:main", "ref": "main", "sha": BEFORE, "repo": repository()},
        },
        "repository": repository(),
        "sender": sender(),
    }


def check_run(
    head: str, name: str = "build", conclusion: str | None = "success", *, minute: int = 0, suite: int = 118578147
) -> dict[str, Any]:
    done = conclusion is not None
    return {
        "action": "completed" if done else "created",
        "check_run": {
            "id": 128620228,
            "head_sha": head,
            "external_id": "",
            "html_url": f"{PAGE}/runs/128620228",
            "status": "completed" if done else "queued",
            "conclusion": conclusion,
            "started_at": f"2026-07-01T10:{minute:02d}:00Z",
            "completed_at": f"2026-07-01T10:{minute:02d}:30Z" if done else None,
            "name": name,
            "check_suite": {"id": suite, "head_branch": "feature", "head_sha": head, "status": "queued"},
            "app": {"id": 15368, "slug": "github-actions", "name": "GitHub Actions"},
            "pull_requests": [],
        },
        "repository": repository(),
        "sender": sender(),
    }


def check_suite(head: str, conclusion: str | None = "success", *, action: str = "completed") -> dict[str, Any]:
    return {
        "action": action,
        "check_suite": {
            "id": 118578147,
            "head_branch": "feature",
            "head_sha": head,
            "status": "completed" if conclusion else "queued",
            "conclusion": conclusion,
            "updated_at": "2026-07-01T10:05:00Z",
            "app": {"id": 29310, "slug": "octo-ci", "name": "Octo CI"},
        },
        "repository": repository(),
        "sender": sender(),
    }


def workflow_run(head: str, conclusion: str | None = "success", *, minute: int = 0) -> dict[str, Any]:
    return {
        "action": "completed" if conclusion else "in_progress",
        "workflow_run": {
            "id": 289782451,
            "name": "CI",
            "head_branch": "feature",
            "head_sha": head,
            "run_number": 3,
            "event": "push",
            "status": "completed" if conclusion else "in_progress",
            "conclusion": conclusion,
            "workflow_id": 2517243,
            "html_url": f"{PAGE}/actions/runs/289782451",
            "created_at": "2026-07-01T10:00:00Z",
            "updated_at": f"2026-07-01T10:{minute:02d}:00Z",
        },
        "repository": repository(),
        "sender": sender(),
    }


def status(head: str, state: str = "success", *, minute: int = 0) -> dict[str, Any]:
    return {
        "id": 6805126730,
        "sha": head,
        "name": FULL_NAME,
        "target_url": "https://ci.example.com/build/7",
        "context": "ci/circle",
        "description": "Your tests ran",
        "state": state,
        "created_at": f"2026-07-01T10:{minute:02d}:00+00:00",
        "updated_at": f"2026-07-01T10:{minute:02d}:00+00:00",
        "repository": repository(),
        "sender": sender(),
    }


def ping() -> dict[str, Any]:
    return {
        "zen": "Keep it logically awesome.",
        "hook_id": 109948940,
        "hook": {"type": "Repository", "events": ["push"]},
        "repository": repository(),
        "sender": sender(),
    }


def signed(secret: str, event: str, payload: Any, delivery: str | None = None) -> tuple[bytes, dict[str, str]]:
    """The body and the headers that GitHub would send."""
    body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return body, {
        "Content-Type": "application/json",
        "User-Agent": "GitHub-Hookshot/044aadd",
        "X-GitHub-Delivery": delivery or new_id(),
        "X-GitHub-Event": event,
        "X-GitHub-Hook-ID": "109948940",
        "X-Hub-Signature-256": f"sha256={digest}",
    }
