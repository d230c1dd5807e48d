"""How a membership ends: every way in is shut, and what was held is given back. What they did stays theirs."""

from pendesk.domain.claim_transitions import release_claim_by_person
from pendesk.domain.event import Event
from pendesk.domain.event_data import MemberRemovedData
from pendesk.domain.people import Account
from pendesk.operations.actions.unassign import unassign_all_of
from pendesk.operations.building.claim_guard import find_and_lock_action_past_scoping, save_claim_end
from pendesk.operations.operation import Call
from pendesk.store import claims, codes, devices, grants, people, sign_in, tokens


def end_membership(call: Call, account: Account) -> None:
    """Their member row is locked already: a claim of theirs that is under way ended first, and is released."""
    user_id = account.user_id
    people.remove_member(call.tx, user_id)
    tokens.revoke_tokens_of_user(call.tx, user_id)
    grants.revoke_of_user(call.tx, user_id)
    codes.invalidate_codes_of_user(call.tx, user_id)
    devices.revoke_approvals_by_user(call.tx, user_id)
    sign_in.end_sessions_and_sign_in_links(call.tx, user_id)
    sign_in.expire_links_created_for_others(call.tx, user_id)
    for action_id in claims.action_ids_held_by(call.tx, user_id):
        facts = find_and_lock_action_past_scoping(call, action_id)
        save_claim_end(call, facts, release_claim_by_person(facts, call.now, "The holder was removed."))
    unassign_all_of(call, user_id)
    call.record(Event("member.removed", user_id, data=MemberRemovedData(role=account.role)))
