"""Is a spec ready to be published? What is missing, and what would make an agent guess.

missing: publishing is refused until it is there. weak: agents will get by, badly. note: good to know.
"""

import re
from typing import Literal, NamedTuple

from pendesk.domain.hidden_characters import describe_hidden

Level = Literal["missing", "weak", "note"]

# Words that leave it to the reader what is meant; a criterion with one of them passes or fails by taste.
VAGUE = (
    "appropriate",
    "appropriately",
    "as needed",
    "easily",
    "easy to use",
    "etc",
    "fast",
    "good",
    "intuitive",
    "nice",
    "nicely",
    "properly",
    "quickly",
    "reasonable",
    "robust",
    "user friendly",
    "user-friendly",
    "well",
)
_VAGUE = re.compile(r"\b(" + "|".join(map(re.escape, VAGUE)) + r")\b", re.IGNORECASE)
SHORTEST_CRITERION_WORDS = 3


class BuildRemark(NamedTuple):
    """`ref` names the action it is about, where it is about one."""

    level: Level
    code: str
    message: str
    ref: str | None = None


class DraftedAction(NamedTuple):
    """stuck_behind: refs of prerequisites that will never be done as things are: ideas, designs, dropped ones."""

    ref: str
    description: str
    criteria: list[str]
    open_questions: int
    stuck_behind: list[str]


class DraftedText(NamedTuple):
    """A text that agents will read: what it is called, and the action that it belongs to, if to one."""

    name: str
    text: str
    ref: str | None = None


class BuildDraft(NamedTuple):
    """What a build would be made of, as the judge needs it. `actions`: those to be published that are open. `texts`:
    all that agents will read, of finished actions too.
    """

    summary: str
    results: list[str]
    conditions: list[str]
    boundaries: list[str]
    approach: str | None
    actions: list[DraftedAction]
    left_out: list[str]
    everyone_takes_part: bool
    participants: int
    agents: int
    project_state: str
    unchanged_since: str | None
    texts: list[DraftedText]


def readiness_remarks(draft: BuildDraft) -> list[BuildRemark]:
    """Everything at once, the worst first."""
    remarks = [*_spec_remarks(draft), *_project_and_participant_remarks(draft), *_hidden_character_remarks(draft)]
    for action in draft.actions:
        remarks += _readiness_remarks_on_action(action)
    order = {"missing": 0, "weak": 1, "note": 2}
    return sorted(remarks, key=lambda remark: order[remark.level])


def _spec_remarks(draft: BuildDraft) -> list[BuildRemark]:
    remarks: list[BuildRemark] = []
    if draft.approach is None:
        remarks.append(BuildRemark("missing", "no_plan", "There is no plan yet. Add one, then its actions."))
    elif not draft.actions:
        remarks.append(
            BuildRemark("missing", "no_action", "The plan has no action to build. Add one with its criteria.")
        )
    elif not draft.approach.strip():
        remarks.append(
            BuildRemark("weak", "no_approach", "The plan has no approach: agents will choose their own way.")
        )
    if not draft.summary.strip():
        remarks.append(
            BuildRemark("weak", "no_summary", "There is no summary: say in a few sentences what it is and why.")
        )
    if not draft.results:
        remarks.append(BuildRemark("weak", "no_results", "No result is named: say what will be true when it is done."))
    if not draft.boundaries:
        remarks.append(
            BuildRemark("weak", "no_boundaries", "No boundary is drawn: say what must not be touched or built.")
        )
    if not draft.conditions:
        remarks.append(
            BuildRemark("note", "no_conditions", "No condition is set: name what must hold, if anything must.")
        )
    if draft.left_out:
        named = ", ".join(draft.left_out)
        remarks.append(
            BuildRemark("note", "left_out", f"Stays out, as an idea or a design: {named}. Set it to todo to add it.")
        )
    if draft.unchanged_since is not None:
        remarks.append(BuildRemark("note", "unchanged", f"Nothing has changed since {draft.unchanged_since}."))
    return remarks


def _project_and_participant_remarks(draft: BuildDraft) -> list[BuildRemark]:
    remarks: list[BuildRemark] = []
    if draft.project_state != "active":
        message = f"The project is {draft.project_state}: agents see its specs once it is active."
        remarks.append(BuildRemark("weak", "project_not_active", message))
    if draft.everyone_takes_part:
        return remarks
    if draft.participants == 0:
        remarks.append(
            BuildRemark("weak", "no_participant", "Nobody takes part: nobody can claim an action. Add someone.")
        )
    elif draft.participants == 1 and draft.agents == 0:
        message = "One person takes part. Their agents can claim; others see nothing until you add them."
        remarks.append(BuildRemark("note", "one_participant", message))
    return remarks


def _hidden_character_remarks(draft: BuildDraft) -> list[BuildRemark]:
    """A person could not see them, and an agent would read a mark where they are."""
    return [
        BuildRemark(
            "weak",
            "hidden_characters",
            f"{drafted.name} has hidden characters: {hidden}. Agents read a mark in their place. Remove them unless "
            "you know why they are there.",
            drafted.ref,
        )
        for drafted in draft.texts
        if (hidden := describe_hidden(drafted.text))
    ]


def _readiness_remarks_on_action(action: DraftedAction) -> list[BuildRemark]:
    remarks: list[BuildRemark] = []
    if not action.criteria:
        remarks.append(
            BuildRemark(
                "missing", "no_criterion", "It has no acceptance criterion: nothing could be shown.", action.ref
            )
        )
    if action.open_questions:
        waits = "A question waits" if action.open_questions == 1 else f"{action.open_questions} questions wait"
        remarks.append(
            BuildRemark("weak", "open_question", f"{waits} for an answer; it cannot be submitted before.", action.ref)
        )
    if action.stuck_behind:
        named = ", ".join(action.stuck_behind)
        message = f"It waits for {named}, which nobody can finish as it stands (an idea, a design, or dropped)."
        remarks.append(BuildRemark("weak", "stuck", message, action.ref))
    for text in action.criteria:
        remarks += _remarks_on_vague_or_short_criterion(text, action.ref)
    if not action.description.strip():
        remarks.append(
            BuildRemark("note", "no_description", "It has no description, only its label and criteria.", action.ref)
        )
    return remarks


def _remarks_on_vague_or_short_criterion(criterion_text: str, action_ref: str) -> list[BuildRemark]:
    quoted = f"“{criterion_text[:80]}{'…' if len(criterion_text) > 80 else ''}”"
    vague = _VAGUE.search(criterion_text)
    if vague:
        message = (
            f"{quoted} is hard to check: “{vague[0]}” means something else to everyone. Give a number or an example."
        )
        return [BuildRemark("weak", "vague_criterion", message, action_ref)]
    if len(criterion_text.split()) < SHORTEST_CRITERION_WORDS:
        message = f"{quoted} is very short: say what can be seen when it holds."
        return [BuildRemark("weak", "short_criterion", message, action_ref)]
    return []
