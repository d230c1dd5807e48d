"""Whether the caller can have each of many actions, who holds it and what it waits for, as every answer says it."""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from pendesk.clock import to_iso
from pendesk.domain.access import Scope
from pendesk.domain.action import NOT_READY, ActionState
from pendesk.domain.agent_session import Relation
from pendesk.domain.assignee import Assignment, CallerIdentity, WorkOrder, assignment_to_caller, work_order
from pendesk.domain.availability import (
    Availability,
    AvailabilityFacts,
    NotReadyReason,
    Wait,
    availability,
    not_ready_reason,
    order_for_agents,
    start_with_by_id,
)
from pendesk.domain.claim import ClaimState, holder_label
from pendesk.domain.limits import OVERLAP_LOOKED_AT, WAITS_WALKED
from pendesk.domain.prerequisite import undecided_note
from pendesk.operations.actions.action_fields import caller_identity
from pendesk.operations.caller_session import relate_caller_to_holder
from pendesk.operations.operation import Call, Output
from pendesk.operations.overlaps import find_overlaps_of_many
from pendesk.store import agent_sessions, prerequisites
from pendesk.store import availability as standings
from pendesk.store.availability import ActionStanding

_DECIDED_BY_PERSON = undecided_note(ActionState.WONT_DO, None)
SAME_FILES = "It works on the same files."
YOU_OR_ANOTHER = "you or another terminal of yours"


class HeldBy(Output):
    agent: str
    since: str
    last_sign: str


class WaitsFor(Output, kw_only=True):
    """start_with: where that waits itself, what can be begun with. Without a refCode it is one that the caller may not
    see.
    """

    ref_code: str | None = None
    availability: str
    start_with: list[str] = []
    note: str | None = None


class AvailabilityFields(Output):
    """What every answer says of an action. hand_over: an earlier holder left something behind."""

    availability: str
    not_ready_reason: str | None = None
    held_by: HeldBy | None = None
    waits_for: list[WaitsFor] = []
    hand_over: bool = False


class OptionalAvailability(Output):
    """The same in a list where not every row is an action."""

    availability: str | None = None
    not_ready_reason: str | None = None
    held_by: HeldBy | None = None
    waits_for: list[WaitsFor] = []
    hand_over: bool = False


class RelatedAction(NamedTuple):
    """An action as the caller stands to it. `overlapped_ids`: of what is free, or would be but for them, those at work
    by others that touch its files.
    """

    standing: ActionStanding
    relation: Relation | None
    availability: Availability
    reason: NotReadyReason | None
    live: bool
    assignment: Assignment
    overlapped_ids: tuple[str, ...] = ()

    @property
    def live_holder_id(self) -> str | None:
        return self.standing.claim_user_id if self.live else None

    @property
    def has_hand_over(self) -> bool:
        return self.availability == Availability.FREE and self.standing.fence > 0

    @property
    def order(self) -> tuple[int, WorkOrder]:
        row = self.standing
        return (
            order_for_agents(self.availability, self.has_hand_over),
            work_order(self.assignment, row.priority, row.due_on, overlaps=bool(self.overlapped_ids)),
        )


def related_actions(call: Call, action_ids: list[str]) -> dict[str, RelatedAction]:
    """By action id."""
    rows = standings.of_actions(call.tx, action_ids, call.actor.user_id)
    return {related.standing.id: related for related in relate(call, rows.values())}


def relate(call: Call, rows: Collection[ActionStanding]) -> list[RelatedAction]:
    own_sessions = {
        row.holder_session.id for row in rows if row.holder_session and row.claim_user_id == call.actor.user_id
    }
    marks = agent_sessions.marks_by_session_id(call.tx, own_sessions) if call.actor.origin.marks else {}
    # Whose agent it is takes a query, and seldom matters.
    is_agent_assigned = any(row.assignee.agent_id for row in rows)
    caller = caller_identity(call) if is_agent_assigned else CallerIdentity(call.actor.user_id)
    related = [_relate_one(call, row, marks, caller) for row in rows]
    overlapped = _overlapped_ids(call, related)
    if not overlapped:
        return related
    return [
        _relate_one(call, action.standing, marks, caller, action.standing.refuses_overlap)._replace(
            overlapped_ids=shared
        )
        if (shared := overlapped.get(action.standing.id, ()))
        else action
        for action in related
    ]


def _overlapped_ids(call: Call, actions: Collection[RelatedAction]) -> dict[str, tuple[str, ...]]:
    """Of what is free, and declares its paths or has been worked on. All of it where that decides whether it is free;
    else only the order of work depends on it, and the first are enough.
    """
    free = [
        action.standing
        for action in actions
        if action.availability == Availability.FREE and (action.standing.declares_paths or action.standing.fence)
    ]
    refusing = [row for row in free if row.refuses_overlap]
    ordered = [row for row in free if not row.refuses_overlap and row.declares_paths][:OVERLAP_LOOKED_AT]
    return overlapped_by_others(call, {row.id: row.project_id for row in [*refusing, *ordered]})


def overlapped_by_others(call: Call, project_id_by_action_id: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Action id -> what others are at work on that touches its files; left out where there is nothing."""
    if not project_id_by_action_id:
        return {}
    overlaps = find_overlaps_of_many(call.tx, project_id_by_action_id)
    others = related_of_others(call, {other for overlapped in overlaps.values() for other in overlapped})
    return {
        ident: shared
        for ident, overlapped in overlaps.items()
        if (shared := tuple(other for other in overlapped if other in others))
    }


def related_of_others(call: Call, action_ids: Collection[str]) -> dict[str, RelatedAction]:
    """Of what is at work, in this order, all but the caller's own session's, which knows what it does."""
    related = related_actions(call, list(action_ids)) if action_ids else {}
    own = (Relation.SAME, Relation.UNKNOWN)
    return {ident: related[ident] for ident in action_ids if related[ident].relation not in own}


def _relate_one(
    call: Call,
    row: ActionStanding,
    marks: Mapping[str, frozenset[str]],
    caller: CallerIdentity,
    waits_for_files: bool = False,
) -> RelatedAction:
    relation = None
    if row.claim_user_id is not None:
        relation = relate_caller_to_holder(
            call.actor, call.agent_session, row.claim_user_id, row.holder_session, marks.__getitem__
        )
    held = row.claim_state == ClaimState.ACTIVE
    live = held and call.now < row.expires_at
    facts = AvailabilityFacts(
        state=row.state,
        project_active=row.project_active,
        published=row.published,
        participant=row.participant,
        waits=row.waits or waits_for_files,
        relation=relation,
        held=held,
        live=live,
    )
    state = availability(facts)
    reason = not_ready_reason(facts) if state == Availability.NOT_READY else None
    return RelatedAction(row, relation, state, reason, live, assignment_to_caller(row.assignee, caller))


def waits_of(call: Call, action_id: str) -> list[Wait]:
    return _waits_by_action_id(call, [action_id], {})[action_id]


def waits_for_files(call: Call, overlapped: Collection[RelatedAction]) -> list[Wait]:
    """For what works on the same files, in a project that refuses it."""
    return [
        Wait(other.standing.ref if is_visible(call, other) else None, other.availability, [], shares_files=True)
        for other in overlapped
    ]


def _waits_by_action_id(
    call: Call, blocked_ids: list[str], loaded: Mapping[str, RelatedAction]
) -> dict[str, list[Wait]]:
    """What each waits for, followed down to what can be claimed now; `loaded` is what need not be loaded again."""
    below = prerequisites.unresolved_below(call.tx, blocked_ids, WAITS_WALKED)
    first_ids = {before for ids in below.values() for before in ids}
    first = {**loaded, **related_actions(call, sorted(first_ids - loaded.keys()))}
    states = {ident: action.availability for ident, action in first.items()}
    starts = start_with_by_id(below, states)

    def wait(ident: str) -> Wait:
        ends = starts.get(ident, []) if states[ident] == Availability.BLOCKED else []
        is_start_free = bool(ends) and states[ends[0]] == Availability.FREE
        ref = first[ident].standing.ref if is_visible(call, first[ident]) else None
        return Wait(ref, states[ident], [first[end].standing.ref for end in ends], is_start_free)

    return {
        ident: [wait(before) for before in below.get(ident, [])]
        or (_waits_for_overlapped(call, loaded[ident]) if ident in loaded else [])
        for ident in blocked_ids
    }


def _waits_for_overlapped(call: Call, action: RelatedAction) -> list[Wait]:
    related = related_actions(call, list(action.overlapped_ids))
    return waits_for_files(call, [related[ident] for ident in action.overlapped_ids])


def is_visible(call: Call, action: RelatedAction) -> bool:
    """Whether the caller's tools show it at all: as `find_action_past_scoping` and `may_see_spec` decide for one."""
    standing = action.standing
    is_ready = standing.state not in NOT_READY and (standing.participant or action.availability == Availability.MINE)
    return is_ready or Scope.DESK_READ in call.actor.scopes


def visible_refs(call: Call, action_ids: list[str]) -> list[str]:
    """Of these actions, those that are there and may be named to the caller, in their order."""
    related = related_actions(call, action_ids)
    return [
        related[ident].standing.ref for ident in action_ids if ident in related and is_visible(call, related[ident])
    ]


def waits_for_decision(call: Call, blocked: Collection[RelatedAction]) -> int:
    """How many of these wait for what was dropped, until a person decides."""
    loaded = {action.standing.id: action for action in blocked}
    waits = _waits_by_action_id(call, list(loaded), loaded).values()
    return sum(any(wait.availability == Availability.WONT_DO for wait in of_action) for of_action in waits)


def availability_fields(call: Call, actions: Collection[RelatedAction]) -> dict[str, dict[str, Any]]:
    """By action id: the fields of AvailabilityFields."""
    loaded = {action.standing.id: action for action in actions}
    blocked = [ident for ident, action in loaded.items() if action.availability == Availability.BLOCKED]
    waits = _waits_by_action_id(call, blocked, loaded)
    return {action.standing.id: _fields(call, action, waits.get(action.standing.id, [])) for action in actions}


def availability_fields_of(call: Call, action_ids: list[str]) -> dict[str, dict[str, Any]]:
    return availability_fields(call, related_actions(call, action_ids).values())


def _fields(call: Call, action: RelatedAction, waits: list[Wait]) -> dict[str, Any]:
    return {
        "availability": action.availability,
        "not_ready_reason": action.reason,
        "held_by": holder_of(action) if action.availability == Availability.HELD else None,
        "waits_for": waits_for(waits),
        "hand_over": action.has_hand_over,
    }


def waits_for(waits: list[Wait]) -> list[WaitsFor]:
    return [
        WaitsFor(
            ref_code=wait.ref,
            availability=wait.availability,
            start_with=wait.start_with,
            note=_note(wait),
        )
        for wait in waits
    ]


def _note(wait: Wait) -> str | None:
    if wait.shares_files:
        return SAME_FILES
    return _DECIDED_BY_PERSON if wait.availability == Availability.WONT_DO else None


def holder_of(action: RelatedAction) -> HeldBy:
    row, session = action.standing, action.standing.holder_session
    label = holder_label(
        row.holder, session.label if session else None, is_callers_user=action.relation != Relation.OTHER_USER
    )
    last_sign_at = max(row.renewed_at, session.last_seen_at if session else 0)
    return held_by(label, action.relation, row.taken_at, last_sign_at)


def held_by(label: str, relation: Relation | None, taken_at: int, last_sign_at: int) -> HeldBy:
    return HeldBy(
        agent=YOU_OR_ANOTHER if relation == Relation.UNKNOWN else label,
        since=to_iso(taken_at),
        last_sign=to_iso(last_sign_at),
    )
