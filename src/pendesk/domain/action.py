"""An action: one claimable unit of work. A task of the planning tools is the same record."""

from typing import Literal, NamedTuple

from pendesk.domain.errors import BadField, RuleBroken

State = Literal["backlog", "scope", "todo", "in_progress", "in_review", "done", "wont_do"]

# The words the building tools use. What has none is not visible to them.
BUILDING_WORDS = {
    "todo": "not-started",
    "in_progress": "started",
    "in_review": "in-review",
    "done": "complete",
    "wont_do": "wont-do",
}

# What a person may set by hand. Claiming, submitting and reviewing have their own operations and rules.
MOVES: dict[str, tuple[str, ...]] = {
    "backlog": ("scope", "todo", "wont_do"),
    "scope": ("backlog", "todo", "wont_do"),
    "todo": ("backlog", "scope", "done", "wont_do"),
    "in_progress": (),
    "in_review": (),
    "done": ("todo",),
    "wont_do": ("backlog", "scope", "todo"),
}

# What brings an action into these states instead; and in the words of a board.
BY_OTHERS = {
    "in_progress": "An agent that works on it claims it (claim_action); without a claim, leave it in todo, tell of the "
    "work with start_agent_run and set it done at the end.",
    "in_review": "Its holder hands it in with submit_for_review.",
}
BY_OTHERS_PERSON = {
    "in_progress": "It is in progress once someone claims it.",
    "in_review": "It is in review once its holder hands it in.",
    "done": "Move it to To do first.",
}


class Action(NamedTuple):
    id: str
    project_id: str
    spec_id: str | None
    plan_id: str | None
    ref_number: int
    label: str
    description: str
    area: str
    paths: str
    state: str
    state_reason: str | None
    priority: int
    position: int
    x: float | None
    y: float | None
    fence: int
    claim_id: str | None
    news_seq: int
    revision: int
    created_by: str
    created_at: int
    updated_at: int


def ref_code(project_key: str, ref_number: int) -> str:
    return f"{project_key}-{ref_number}"


def building_word(state: str) -> str:
    return BUILDING_WORDS.get(state, "not-started")


def is_reopening(state: str) -> bool:
    """Does leaving this state by hand take up again what was finished?"""
    return state in ("done", "wont_do")


def check_may_replan(ref: str, state: str) -> None:
    if state in ("in_progress", "in_review"):
        raise RuleBroken(
            f"{ref} is in an agent's hands. Release the claim or finish the review before you move it to another plan.",
            code="invalid_transition",
        )


def moves_by_hand(state: str, criteria: int) -> list[str]:
    """Where a person may put it; with criteria, only a review makes it done."""
    return [target for target in MOVES[state] if not (target == "done" and criteria)]


def check_move(action: Action, target: str, criteria: int, reason: str | None) -> None:
    """May a person set this state by hand?"""
    if action.state in ("in_progress", "in_review"):
        raise RuleBroken(
            "This action is in an agent's hands. Release the claim or finish the review before you move it.",
            code="invalid_transition",
        )
    if target not in MOVES[action.state]:
        allowed = ", ".join(MOVES[action.state])
        instead = f" {BY_OTHERS[target]}" if target in BY_OTHERS else ""
        raise RuleBroken(
            f"An action in {action.state} cannot be set to {target}. It may go to: {allowed}.{instead}",
            code="invalid_transition",
            person=f"It cannot be put there by hand. {BY_OTHERS_PERSON.get(target, 'Reopen it first.')}",
            allowed=list(MOVES[action.state]),
        )
    if target == "done" and criteria:
        raise RuleBroken(
            f"This action has {criteria} acceptance criteria, so only a review can make it done. "
            "Claim it, submit it and have a person review it.",
            code="needs_review",
            person=f"Its {criteria} criteria are to be met first: it is done once someone has built it and a person "
            "has approved it in review.",
        )
    if target == "wont_do" and not reason:
        raise RuleBroken("Say why this will not be done: give a reason.", code="reason_needed")


def first_state_problem(state: str) -> str | None:
    """Why a new task cannot begin in this state."""
    if state in BY_OTHERS:
        return f"a new task cannot be {state}; make it todo. {BY_OTHERS[state]}"
    if state == "wont_do":
        return "a new task cannot be wont_do; make it backlog, or leave it out."
    return None


def check_first_state(state: str) -> None:
    problem = first_state_problem(state)
    if problem is not None:
        raise BadField("status", problem)
