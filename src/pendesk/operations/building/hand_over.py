"""What the holders before left behind."""

from pendesk.domain.claim import ActionFacts, Claim, has_live_lease, holder_label, is_held_even_if_expired
from pendesk.domain.limits import HAND_OVER_COMMITS, LABEL_CHARS
from pendesk.operations.building.brief_results import HandOver
from pendesk.operations.operation import Call
from pendesk.store import claims, reports


def previous_hand_over(call: Call, facts: ActionFacts, own_claim: Claim | None) -> HandOver | None:
    fence = own_claim.fence if own_claim is not None else facts.action.fence + 1
    earlier = claims.previous_claim_with_user_and_agent(call.tx, facts.action.id, fence)
    if earlier is None:
        return None
    claim, user, agent = earlier
    if has_live_lease(claim, call.now):
        return None  # at work: there is nothing to take over
    commits = reports.commits_of_action(call.tx, facts.action.id, HAND_OVER_COMMITS)
    return HandOver(
        holder=holder_label(user, agent, is_callers_user=claim.user_id == call.actor.user_id),
        agent_model=claim.agent_model,
        ended="expired" if is_held_even_if_expired(claim) else claim.state,
        branch=next((commit.branch for commit in commits if commit.branch), None),
        commits=[f"{commit.sha} {commit.message.splitlines()[0][:LABEL_CHARS]}" for commit in commits],
        last_progress=claim.last_message,
    )
