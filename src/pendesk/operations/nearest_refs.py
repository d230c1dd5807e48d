"""What a caller may have meant, for a refusal: only ever out of what they may see."""

from pendesk.domain.access import Scope
from pendesk.domain.limits import NEAREST_NAMED
from pendesk.ids import parse_ref_code_key_and_number
from pendesk.operations.nearest_names import nearest_names
from pendesk.operations.operation import Call
from pendesk.store import nearest, projects


def nearest_project_keys(call: Call, id_or_key: str) -> list[str]:
    if Scope.DESK_READ not in call.actor.scopes:
        return []
    return nearest_names(id_or_key.strip().upper(), sorted(projects.keys(call.tx)))


def nearest_refs(call: Call, id_or_ref: str, *, planning: bool) -> list[str]:
    """Refs like the one that was named; none for a pid, which is like no other."""
    ref = parse_ref_code_key_and_number(id_or_ref)
    viewer = nearest.Viewer(call.actor.user_id, planning, all_specs=Scope.DESK_READ in call.actor.scopes)
    if ref is None or (planning and not viewer.all_specs):
        return []
    key, number = ref
    return nearest.visible_refs_near(call.tx, viewer, key, number, NEAREST_NAMED) or [
        near_ref
        for near_key in nearest_names(key, nearest.keys_with_visible_actions(call.tx, viewer))[:1]
        for near_ref in nearest.visible_refs_near(call.tx, viewer, near_key, number, NEAREST_NAMED)
    ]
