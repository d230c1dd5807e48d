"""What every revision of a noun holds.

The fields of an action carry the names under which get_action_brief tells an agent what has changed.
"""

from typing import Any

from pendesk.domain.action import Action
from pendesk.domain.criterion import Criterion
from pendesk.domain.document import Document, Note
from pendesk.domain.project import Goal, Plan, Project, Spec
from pendesk.store.engine.json_text import from_json


def project_content(project: Project) -> dict[str, Any]:
    return {
        "name": project.name,
        "description": project.description,
        "state": project.state,
        "repositoryUrl": project.repository_url or "",
        # Only where they are on: revisions from before there were such settings read the same.
        **({"requireEvidence": True} if project.require_evidence else {}),
        **({"refuseOverlap": True} if project.refuse_overlap else {}),
    }


def goal_content(goal: Goal) -> dict[str, Any]:
    return {"title": goal.title, "description": goal.description, "position": goal.position}


def spec_content(spec: Spec) -> dict[str, Any]:
    return {
        "title": spec.title,
        "summary": spec.summary,
        "results": from_json(spec.results),
        "conditions": from_json(spec.conditions),
        "boundaries": from_json(spec.boundaries),
        "goalId": spec.goal_id or "",
    }


def plan_content(plan: Plan) -> dict[str, Any]:
    return {"title": plan.title, "approach": plan.approach}


def action_content(action: Action, criteria: list[Criterion]) -> dict[str, Any]:
    return {
        "action.label": action.label,
        "action.description": action.description,
        "action.area": action.area,
        "action.paths": from_json(action.paths),
        "action.criteria": [{"id": criterion.id, "text": criterion.text} for criterion in criteria],
    }


def document_content(document: Document) -> dict[str, Any]:
    return {"title": document.title, "body": document.body, "statusLine": document.status_line}


def note_content(note: Note) -> dict[str, Any]:
    return {"title": note.title, "body": note.body}
