"""Reads what domain/mirror.py draws from."""

from pendesk.domain import limits
from pendesk.domain.errors import LinkLeadsNowhere
from pendesk.domain.evidence import EvidenceState, evidence_state
from pendesk.domain.mirror import ActionMirror, ProjectMirror, assemble_action_mirror, assemble_project_mirror
from pendesk.domain.project import Project
from pendesk.domain.share import Share
from pendesk.operations.operation import Call
from pendesk.store import actions, criteria, documents, edges, plans, projects, shares, specs
from pendesk.store.engine.json_text import from_json


def build_mirror_for_share(call: Call, share: Share) -> ProjectMirror | ActionMirror:
    project = projects.by_id(call.tx, share.project_id)
    if project is None:
        raise LinkLeadsNowhere
    if share.action_id is None:
        return build_project_mirror(call, project, with_documents=bool(share.with_documents))
    return _build_action_mirror(call, project, share.action_id)


def build_project_mirror(call: Call, project: Project, *, with_documents: bool) -> ProjectMirror:
    tx = call.tx
    return assemble_project_mirror(
        project,
        projects.goals_of(tx, project.id),
        shares.mirrored_spec_titles_and_summaries(tx, project.id, limits.MIRROR_TEXT_CHARS + 1, limits.MIRROR_SPECS),
        shares.mirrored_actions(tx, project.id, limits.MIRROR_ACTIONS),
        shares.mirrored_action_counts_by_state(tx, project.id),
        shares.edge_from_to_ref_numbers_and_labels(tx, project.id, limits.MIRROR_EDGES),
        documents.page(tx, project.id, "", limits.MIRROR_DOCUMENTS) if with_documents else [],
    )


def _build_action_mirror(call: Call, project: Project, action_id: str) -> ActionMirror:
    facts = actions.facts(call.tx, action_id)
    if facts is None or facts.action.project_id != project.id:
        raise LinkLeadsNowhere
    action = facts.action
    spec = specs.by_id(call.tx, action.spec_id) if action.spec_id else None
    lists = {name: from_json(getattr(spec, name)) for name in ("results", "conditions", "boundaries")} if spec else {}
    first = [
        (number, label, state)
        for _id, number, label, state, _accepted, _edge in edges.prerequisites(call.tx, action.id)
    ]
    return assemble_action_mirror(
        project,
        action,
        _criteria_texts_and_states(call, action.id),
        spec,
        lists,
        plans.by_id(call.tx, action.plan_id) if action.plan_id else None,
        first[: limits.ACTION_EDGES],
    )


def _criteria_texts_and_states(call: Call, action_id: str) -> list[tuple[str, str]]:
    histories = criteria.evidence_history_by_criterion_id(call.tx, action_id)
    criteria_and_states = [
        (criterion, evidence_state(histories[criterion.id])) for criterion in criteria.of_action(call.tx, action_id)
    ]
    return [(row.text, row.status if state == EvidenceState.NONE else state) for row, state in criteria_and_states]
