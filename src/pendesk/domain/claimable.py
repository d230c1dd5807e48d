"""Claiming what nobody holds: availability decides, and here is what is said to whoever may not have it."""

from pendesk.domain.action import BUILDING_WORDS
from pendesk.domain.availability import (
    Availability,
    AvailabilityFacts,
    NotReadyReason,
    Wait,
    availability,
    not_ready_reason,
)
from pendesk.domain.claim import ActionFacts, Claimant, is_held_even_if_expired
from pendesk.domain.claim_advice import claim_instead_advice
from pendesk.domain.errors import Advice, NotParticipant, Refusal, RuleBroken
from pendesk.domain.prerequisite import UNDECIDED

WAITS_NAMED = 5
HIDDEN = "an action that your tools do not show: your user can see it in the web app"
_WORDS = {
    Availability.MINE: "yours",
    Availability.CHANGES_REQUESTED: "changes requested",
    Availability.IN_REVIEW: "in-review",
    Availability.WONT_DO: UNDECIDED,
    Availability.NOT_READY: "not ready",
}


def check_claimable(facts: ActionFacts, claimant: Claimant) -> None:
    """After it was checked that no live claim stands in the way. Who takes no part is told that, and nothing more."""
    if not claimant.participant:
        raise NotParticipant(
            f"You are not a participant of {facts.ref}'s spec. Ask a member who can edit the spec to add you."
        )
    deciding = AvailabilityFacts(
        state=facts.action.state,
        project_active=facts.in_active_project,
        published=claimant.published,
        participant=claimant.participant,
        waits=bool(claimant.waits),
        relation=facts.relation,
        held=False,
        live=False,
    )
    state = availability(deciding)
    if state == Availability.NOT_READY:
        raise _not_ready_refusal(facts, claimant, not_ready_reason(deciding))
    if state == Availability.BLOCKED:
        raise blocked_refusal(facts, claimant)
    if state != Availability.FREE:
        raise RuleBroken(
            f"{facts.ref} is {_state_words(facts)}, so it cannot be claimed{_by_person(state)}.",
            code="not_claimable",
            advice=claim_instead_advice(claimant.taker.find_free()),
        )


def check_rework_claimable(facts: ActionFacts) -> None:
    """Requested changes of the caller's user: only a paused project stands in the way, and not in that of the session
    that has them already.
    """
    deciding = AvailabilityFacts(
        state=facts.action.state,
        project_active=facts.in_active_project,
        published=True,
        participant=True,
        waits=False,
        relation=facts.relation,
        held=is_held_even_if_expired(facts.claim),
        live=False,
    )
    if availability(deciding) == Availability.NOT_READY:
        raise _project_not_active_refusal(facts)


def _by_person(state: Availability) -> str:
    return " unless a person reopens it" if state in (Availability.DONE, Availability.WONT_DO) else ""


def _state_words(facts: ActionFacts) -> str:
    return BUILDING_WORDS.get(facts.action.state, facts.action.state)


def _not_ready_refusal(facts: ActionFacts, claimant: Claimant, reason: NotReadyReason | None) -> Refusal:
    ref = facts.ref
    if reason == NotReadyReason.PROJECT_NOT_ACTIVE:
        return _project_not_active_refusal(facts)
    if reason in (NotReadyReason.BACKLOG, NotReadyReason.SCOPE):
        return RuleBroken(
            f"{ref} is not ready to be built: it is in {reason}. A person moves it to To do.", code="not_claimable"
        )
    return RuleBroken(
        f"{ref} is not part of a published build. It can be claimed once a person publishes its plan.",
        code="not_published",
        advice=claim_instead_advice(claimant.taker.find_free()),
    )


def _project_not_active_refusal(facts: ActionFacts) -> Refusal:
    return RuleBroken(
        f"The project of {facts.ref} is {facts.project_state}: nothing in it can be claimed. A person can activate it.",
        code="project_not_active",
        advice=(Advice("list_available_specs shows other work.", ("list_available_specs",)),),
    )


def blocked_refusal(facts: ActionFacts, claimant: Claimant) -> Refusal:
    waits = claimant.waits
    free = claimant.taker.find_free()
    if shares_files(waits):
        return overlap_refusal(facts, waits, claim_instead_advice(free))
    # Nothing is free to who has no slot left, not even what this waits for.
    first = next((wait.claimable_ref for wait in waits if wait.claimable_ref), None) if free else None
    own = next((wait.own_ref for wait in waits if wait.own_ref), None)
    instead = (Advice(f"Claim {first} first.", ("claim_action",)),) if first else claim_instead_advice(free)
    return RuleBroken(
        f"{facts.ref} waits for: {waits_text(waits)}.",
        code="prerequisites_open",
        advice=(Advice(f"Finish {own} first, which you hold."),) if own else instead,
        waitingOn=[wait.ref for wait in waits if wait.ref is not None],
    )


def shares_files(waits: list[Wait]) -> bool:
    """In a project that refuses overlaps: it waits for work on its files, and for nothing else."""
    return any(wait.shares_files for wait in waits)


def overlap_refusal(facts: ActionFacts, waits: list[Wait], advice: tuple[Advice, ...]) -> Refusal:
    return RuleBroken(
        f"{facts.ref} waits for: {waits_text(waits)}.",
        code="overlaps",
        advice=advice,
        waitingOn=[wait.ref for wait in waits if wait.ref is not None],
    )


def waits_text(waits: list[Wait]) -> str:
    return ", ".join(map(_wait_text, waits[:WAITS_NAMED]))


def _wait_text(wait: Wait) -> str:
    if wait.ref is None:
        return HIDDEN
    words = _WORDS.get(wait.availability, wait.availability)
    if wait.shares_files:
        return f"{wait.ref} ({words}), which works on the same files"
    start = f": start with {' or '.join(wait.start_with)}" if wait.start_with else ""
    return f"{wait.ref} ({words}{start})"
