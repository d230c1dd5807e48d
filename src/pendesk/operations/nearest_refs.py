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
    all_specs = Scope.DESK_READ in call.actor.scopes
    if ref is None or (planning and not all_specs):
        return []
    user_id = call.actor.user_id
    keys = nearest.keys_with_visible_actions(call.tx, user_id, planning=planning, all_specs=all_specs)
    near_keys = nearest_names(ref[0], sorted(keys))[:1]
    return [
        near_ref
        for key in near_keys
        for near_ref in nearest.visible_refs_near(
            call.tx, key, ref[1], user_id, NEAREST_NAMED, planning=planning, all_specs=all_specs
        )
    ]
