"""A change that touches files of others at work: both cards are marked, and both agents hear of it, once."""

from pendesk.domain.action import action_event
from pendesk.domain.claim import ActionFacts, Claim, has_live_lease
from pendesk.domain.event_data import ActionOverlappedData
from pendesk.domain.limits import OVERLAP_PATHS_SHOWN, OVERLAPS_COMPARED
from pendesk.domain.overlap import Overlap, is_at_work, is_news, surest
from pendesk.operations.availability import related_actions
from pendesk.operations.operation import Call
from pendesk.operations.overlap_results import OverlapResult, overlap_results
from pendesk.operations.overlaps import find_overlaps_with_work
from pendesk.operations.session_news import tell_holder
from pendesk.store import actions, overlaps
from pendesk.store.overlaps import ActionPaths


def record_overlaps(call: Call, facts: ActionFacts) -> list[OverlapResult]:
    """After the change was saved. The work of the project is locked (`lock_work_of_project`): of two that push at the
    same moment, the second sees what the first did.
    """
    action, claim = facts.action, facts.claim
    if claim is None or not is_at_work(action.state, has_live_lease(claim, call.now)):
        return []
    paths = ActionPaths(action.id, action.project_id, action.spec_id, action.area, action.paths)
    overlapped = find_overlaps_with_work(call.tx, [paths], guesses=True).get(action.id, {})
    shared = surest(overlapped, OVERLAPS_COMPARED)
    others = {ident: other for ident in shared if (other := _of_another(call, claim, ident))}
    shared = {ident: overlap for ident, overlap in shared.items() if ident in others}
    saved = {overlap.other_id: overlap for overlap in overlaps.of_action(call.tx, action.id)}
    known = {ident: before.overlap for ident, before in saved.items() if before.was_told and ident in shared}
    news = [ident for ident, overlap in shared.items() if is_news(known.get(ident), overlap)]
    overlaps.save(call.tx, action.id, {**dict.fromkeys(saved), **shared}, {*known, *news})
    for ident in news:
        _tell(call, facts, others[ident], shared[ident])
    return overlap_results(call, shared, related_actions(call, list(shared)))


def _of_another(call: Call, claim: Claim, action_id: str) -> ActionFacts | None:
    """None where the same session, or the same person, has both: they know what they do."""
    other = actions.facts(call.tx, action_id)
    if other is None or other.claim is None:
        return None
    is_same = (other.claim.user_id, other.claim.session_id) == (claim.user_id, claim.session_id)
    return None if is_same else other


def _tell(call: Call, pushed: ActionFacts, other: ActionFacts, overlap: Overlap) -> None:
    """Who pushed has it in the answer; its holder is told as well, where another pushed for them."""
    tell_holder(call, other.claim, _record(call, other, pushed, overlap))
    event_id = _record(call, pushed, other, overlap)
    if call.agent_session is None or (pushed.claim and pushed.claim.session_id != call.agent_session.id):
        tell_holder(call, pushed.claim, event_id)


def _record(call: Call, facts: ActionFacts, other: ActionFacts, overlap: Overlap) -> int:
    data = ActionOverlappedData(
        other=other.ref,
        other_id=other.action.id,
        basis=overlap.basis,
        paths=list(overlap.paths[:OVERLAP_PATHS_SHOWN]),
        files=overlap.file_count,
    )
    return call.record_returning_id(action_event(facts.action, "action.overlapped", data))
