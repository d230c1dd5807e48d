"""What is open for the caller: the published specs they take part in, and beside them what takes no spec."""

from collections import Counter
from itertools import groupby
from typing import NamedTuple

from pendesk.domain.access import Scope
from pendesk.domain.availability import Availability
from pendesk.domain.limits import FINISHED_SPECS_LISTED, OPEN_LOOKED_AT, OTHER_ACTIONS_LISTED, OTHER_ACTIONS_LOOKED_AT
from pendesk.operations.actions.action_fields import caller_identity
from pendesk.operations.availability import RelatedAction, relate
from pendesk.operations.operation import Call
from pendesk.store import availability as standings
from pendesk.store import participants, proposals

CLAIMABLE = (Availability.CHANGES_REQUESTED, Availability.FREE)


class OpenWork(NamedTuple):
    """Specs in the order to take them, last the newest of those with nothing left to do; in each, its open actions in
    that order.
    """

    actions_by_spec_id: dict[str, list[RelatedAction]]

    @property
    def actions(self) -> list[RelatedAction]:
        return [action for actions in self.actions_by_spec_id.values() for action in actions]

    @property
    def counts(self) -> Counter[Availability]:
        return Counter(action.availability for action in self.actions)

    @property
    def finished_specs(self) -> int:
        return sum(not actions for actions in self.actions_by_spec_id.values())


def load_open_work(call: Call) -> OpenWork:
    user_id = call.actor.user_id
    if standings.count_open(call.tx, OPEN_LOOKED_AT + 1) > OPEN_LOOKED_AT:
        call.require_worker_thread()
    actions = relate(call, standings.open_of_participant(call.tx, user_id))
    by_spec_id = {
        str(spec_id): sorted(of_spec, key=lambda action: action.order)
        for spec_id, of_spec in groupby(actions, key=lambda action: action.standing.spec_id)
    }
    ordered = sorted(by_spec_id, key=lambda spec_id: by_spec_id[spec_id][0].order)
    finished = participants.finished_spec_ids(call.tx, user_id, FINISHED_SPECS_LISTED)
    return OpenWork({spec_id: by_spec_id.get(spec_id, []) for spec_id in [*ordered, *finished]})


def load_other_actions(call: Call) -> list[RelatedAction]:
    """Outside any spec: what is the caller's, and what can be claimed."""
    rows = relate(call, standings.open_without_spec(call.tx, caller_identity(call), OTHER_ACTIONS_LOOKED_AT))
    drafts = _ids_of_drafting_actions_beyond_caller(call, rows)
    shown = [
        row for row in rows if row.availability in (Availability.MINE, *CLAIMABLE) and row.standing.id not in drafts
    ]
    return sorted(shown, key=lambda action: action.order)


def _ids_of_drafting_actions_beyond_caller(call: Call, rows: list[RelatedAction]) -> set[str]:
    """What asks for a draft, to a caller without the tools for one. Nobody is sent to what they cannot do."""
    if Scope.SPECS_WRITE in call.actor.scopes:
        return set()
    free_ids = [row.standing.id for row in rows if row.availability == Availability.FREE]
    return proposals.action_ids_that_ask_for_drafts(call.tx, free_ids)


def free_other_actions_by_project_key(call: Call, others: list[RelatedAction]) -> Counter[str]:
    """How many are free in all; counted by the database only where there may be more than were looked at."""
    if len(others) <= OTHER_ACTIONS_LISTED:
        return Counter(action.standing.project_key for action in others if action.availability == Availability.FREE)
    return Counter(standings.free_counts_without_spec_by_project_key(call.tx))


def free_refs_near(call: Call, action_id: str, spec_id: str | None, limit: int) -> list[str]:
    """What can be claimed instead of an action: in its spec, else wherever the caller has something free."""
    near: list[RelatedAction] = []
    if spec_id is not None:
        near = relate(call, standings.claimable_candidates_of_spec(call.tx, spec_id, call.actor.user_id))
    refs = _free_refs(near, action_id)
    if not refs:
        refs = _free_refs(load_open_work(call).actions, action_id) or _free_refs(load_other_actions(call), action_id)
    return refs[:limit]


def _free_refs(actions: list[RelatedAction], without_id: str) -> list[str]:
    """Those that touch files at work only where there are no others."""
    free = [
        action for action in actions if action.availability == Availability.FREE and action.standing.id != without_id
    ]
    return [action.standing.ref for action in free if not action.overlapped_ids] or [
        action.standing.ref for action in free
    ]
