"""Why nothing is free, with counts: what an agent tells its user instead of an empty list."""

from pendesk.domain.availability import Availability
from pendesk.domain.limits import FINISHED_SPECS_LISTED
from pendesk.operations.availability import RelatedAction, waits_for_decision
from pendesk.operations.building.open_work import OpenWork
from pendesk.operations.building.you import You
from pendesk.operations.operation import Call
from pendesk.store import availability as standings

_COUNTED = {
    Availability.MINE: "yours already",
    Availability.HELD: "held by other sessions",
    Availability.BLOCKED: "blocked",
    Availability.IN_REVIEW: "in-review",
    Availability.NOT_READY: "not in the published build",
}


def no_slot_notice(call: Call, you: You) -> str:
    limit = call.limits.live_claims_per_user
    own = f"Go on with {', '.join(you.holds)}, or release one." if you.holds else "None of them is this session's."
    return f"You can claim nothing now: your user's agents together hold {limit} actions, the most there can be. {own}"


def more_others_notice(free: int, listed: list[RelatedAction]) -> str | None:
    more = free - sum(action.availability == Availability.FREE for action in listed)
    if more <= 0:
        return None
    actions_are = "action outside any spec is" if more == 1 else "actions outside any spec are"
    return f"{more} more {actions_are} free; the most urgent are listed."


def nothing_free_notice(call: Call, work: OpenWork) -> str:
    open_counts = [f"{work.counts[state]} {words}" for state, words in _COUNTED.items() if work.counts[state]]
    reasons = [f"Of the open actions {_listed(open_counts)}."] if open_counts else []
    undecided = waits_for_decision(call, [row for row in work.actions if row.availability == Availability.BLOCKED])
    if undecided:
        verb = "waits" if undecided == 1 else "wait"
        reasons.append(f"{undecided} of those {verb} for what was dropped, until a person decides in the inbox.")
    if work.finished_specs:
        or_more = " or more" if work.finished_specs == FINISHED_SPECS_LISTED else ""
        reasons.append(f"{_specs(work.finished_specs)}{or_more} of yours {_are(work.finished_specs)} finished.")
    return " ".join(["Nothing is free to claim now.", *reasons, *_out_of_reach(call), "Tell your user."])


def _out_of_reach(call: Call) -> list[str]:
    specs = standings.specs_out_of_reach(call.tx, call.actor.user_id)
    texts = []
    if specs.not_a_participant:
        texts.append(
            f"You are not a participant of {_specs(specs.not_a_participant)}: a person who can edit a spec adds you."
        )
    if specs.unpublished:
        texts.append(f"{_specs(specs.unpublished)} of yours {_are(specs.unpublished)} not published yet.")
    if specs.project_not_active:
        texts.append(
            f"{_specs(specs.project_not_active)} of yours {_are(specs.project_not_active)} in a paused project."
        )
    return texts


def _specs(count: int) -> str:
    return f"{count} spec" if count == 1 else f"{count} specs"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _listed(counts: list[str]) -> str:
    return ", ".join(counts)
