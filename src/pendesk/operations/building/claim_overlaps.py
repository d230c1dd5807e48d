"""What an agent that claims an action is told of work on the same files, and what a project refuses for it."""

from pendesk.domain.availability import Wait
from pendesk.domain.claim import ActionFacts, has_live_lease
from pendesk.domain.limits import OVERLAPS_COMPARED, OVERLAPS_NAMED
from pendesk.domain.overlap import Overlap, surest
from pendesk.operations.availability import related_of_others, waits_for_files
from pendesk.operations.operation import Call
from pendesk.operations.overlap_results import OverlapResult, overlap_results
from pendesk.operations.overlaps import find_overlaps_with_work
from pendesk.store import actions, overlaps, projects
from pendesk.store.overlaps import ActionPaths

OVERLAPS = "Another agent is at work on the same files (see overlaps): keep to your part, or claim another."


def lock_work_of_project(call: Call, action_id_or_ref: str) -> None:
    """After the member and before any action: who takes work, or pushes a change of it, in one project comes one after
    the other. Else neither of two sees what the other takes.
    """
    action_id = actions.resolve_id(call.tx, action_id_or_ref)
    facts = actions.facts(call.tx, action_id) if action_id is not None else None
    if facts is not None:
        projects.lock(call.tx, facts.action.project_id)


def record_work_on_same_files(call: Call, facts: ActionFacts) -> list[OverlapResult]:
    """Of an action that was just taken, for the cards of both and for who took it: the surest."""
    overlapped = surest(_overlaps_with_work(call, facts, guesses=True), OVERLAPS_COMPARED)
    ids = list(overlapped)
    others = related_of_others(call, ids[:OVERLAPS_NAMED])
    if len(others) < OVERLAPS_NAMED:  # of the first some are the caller's own: who is behind them
        others |= related_of_others(call, ids[OVERLAPS_NAMED:])
    shared = {ident: overlapped[ident] for ident in list(others)[:OVERLAPS_NAMED]}
    overlaps.save(call.tx, facts.action.id, shared)
    return overlap_results(call, shared, others)


def overlap_waits(call: Call, facts: ActionFacts) -> list[Wait]:
    """What keeps it from being claimed, in a project that refuses overlaps. What is taken over is at work already."""
    if not facts.refuses_overlap or has_live_lease(facts.claim, call.now):
        return []
    others = related_of_others(call, _overlaps_with_work(call, facts, guesses=False))
    return waits_for_files(call, others.values())


def _overlaps_with_work(call: Call, facts: ActionFacts, *, guesses: bool) -> dict[str, Overlap]:
    action = facts.action
    paths = ActionPaths(action.id, action.project_id, action.spec_id, action.area, action.paths)
    return find_overlaps_with_work(call.tx, [paths], guesses=guesses).get(action.id, {})
