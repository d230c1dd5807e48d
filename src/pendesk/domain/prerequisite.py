"""What comes before an action: when it holds that one back no longer, and what becomes of those who wait for nothing.

An action that is dropped holds back what waits for it until a person decides: release those, or reopen it.
"""

from pendesk.domain.action import Action, ActionState, action_event, dependents_in_event
from pendesk.domain.errors import Advice, RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.event_data import DependentsReleasedData

_UNDECIDED = "a person decides whether it goes on"
UNDECIDED = f"won't do: {_UNDECIDED}"

REFS_NAMED = 5


def is_resolved(state: ActionState, drop_accepted_at: int | None) -> bool:
    """It holds nothing back: done, or dropped, and a person has accepted that what waits for it goes on."""
    return state == ActionState.DONE or (state == ActionState.WONT_DO and drop_accepted_at is not None)


def undecided_note(state: ActionState, drop_accepted_at: int | None) -> str | None:
    """The same where the state stands beside it."""
    return _UNDECIDED if state == ActionState.WONT_DO and drop_accepted_at is None else None


def undecided_next_step(dependent_refs: list[str], hidden: int = 0) -> str | None:
    """For whoever dropped an action that others wait for; so many of them are hidden from that one."""
    count = len(dependent_refs) + hidden
    if not count:
        return None
    named, more = dependent_refs[:REFS_NAMED], count - len(dependent_refs[:REFS_NAMED])
    waiting = f"{', '.join(named)}{f' and {more} more' if more else ''}" if named else f"{more} that you do not see"
    verb, them = ("waits", "it") if count == 1 else ("wait", "them")
    return f"{waiting} {verb} for it. A person decides in the inbox: release {them}, or reopen this one."


def check_person_releases(is_person: bool, action_ref: str) -> None:
    if not is_person:
        raise RuleBroken(
            f"A person decides in the inbox whether what waits for {action_ref} goes on.",
            code="person_decides",
            advice=(Advice("Leave release_dependents out.", ("update_action",)),),
        )


def release_dependents(
    action: Action, action_ref: str, dependent_refs: list[str], user_id: str, now: int
) -> tuple[Action, Event]:
    """A person accepts that the action is dropped: what waits for it goes on."""
    if action.state != ActionState.WONT_DO:
        raise RuleBroken(
            f"{action_ref} is not dropped, so what waits for it goes on when it is done. "
            "Set it to wont_do first, or remove the edge.",
            code="not_dropped",
        )
    if action.drop_accepted_at is not None:
        raise RuleBroken(f"What waited for {action_ref} was released already.", code="already_released")
    event_data = DependentsReleasedData(
        before="waiting",
        after="released",
        dependents=dependents_in_event(dependent_refs) or [],
        count=len(dependent_refs),
    )
    accepted = action._replace(drop_accepted_at=now, drop_accepted_by=user_id, updated_at=now)
    return accepted, action_event(action, "action.dependents_released", event_data)
