"""Who the caller is to the server: which agent, which session of it, what it holds and how much more it may claim."""

from pendesk.domain.agent_session import Relation
from pendesk.domain.claim import ClaimKind, ClaimState
from pendesk.operations.availability import RelatedAction, related_actions
from pendesk.operations.caller_session import agent_of_caller, find_session
from pendesk.operations.operation import Call, Output
from pendesk.store import claims


class You(Output):
    """may_hold: what this or another terminal of yours holds, where nothing tells them apart. slots: for all your
    user's agents together.
    """

    agent: str | None
    session: str | None
    slots: int
    holds: list[str]
    may_hold: list[str] = []


def describe_caller(call: Call, held: list[RelatedAction]) -> You:
    """`held` is what held_by_user gives."""
    session = call.agent_session or find_session(call.tx, call.actor)
    live = sum(action.live and action.standing.claim_kind == ClaimKind.LEASE for action in held)
    return You(
        agent=session.agent_name if session else _agent_name(call),
        session=session.label if session and call.actor.origin.marks else None,
        holds=[action.standing.ref for action in held if action.relation == Relation.SAME],
        may_hold=[action.standing.ref for action in held if action.relation == Relation.UNKNOWN],
        slots=max(0, call.limits.live_claims_per_user - live),
    )


def held_by_user(call: Call, but_action_id: str | None = None) -> list[RelatedAction]:
    """By whichever of the user's sessions, live or expired."""
    ids = claims.action_ids_held_by(call.tx, call.actor.user_id)
    related = related_actions(call, [ident for ident in ids if ident != but_action_id]).values()
    return [action for action in related if action.standing.claim_state == ClaimState.ACTIVE]


def _agent_name(call: Call) -> str | None:
    token_id = call.actor.token_id
    return agent_of_caller(call.tx, call.actor, token_id)[0].name if token_id is not None else None
