"""How a membership ends: every way in is shut, and what was held is given back. What they did stays theirs."""

from pendesk.domain.claim_transitions import release_by_person
from pendesk.domain.event import Event
from pendesk.domain.event_data import MemberRemovedData
from pendesk.domain.people import Account
from pendesk.operations.building.claim_guard import lock_visible_action, save_claim_end
from pendesk.operations.operation import Call
from pendesk.store import claims, codes, devices, grants, people, sign_in, tokens


def shut_out(call: Call, account: Account) -> None:
    """Their member row is locked already: a claim of theirs that is under way ended first, and is released."""
    user_id = account.user_id
    people.remove_member(call.tx, user_id)
    tokens.revoke_of_user(call.tx, user_id)
    grants.revoke_of_user(call.tx, user_id)
    codes.use_of_user(call.tx, user_id)
    devices.deny_of_user(call.tx, user_id)
    sign_in.end_all_of_user(call.tx, user_id)
    sign_in.use_links_of_maker(call.tx, user_id)
    for action_id in claims.actions_held_by(call.tx, user_id):
        facts = lock_visible_action(call, action_id)
        save_claim_end(call, facts, release_by_person(facts, call.now, "The holder was removed."))
    call.record(Event("member.removed", user_id, data=MemberRemovedData(role=account.role)))
