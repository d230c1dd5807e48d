"""A submission as its reviewer sees it: which build it is for, and what is new since the one before."""

from pendesk.clock import to_iso
from pendesk.domain import limits
from pendesk.domain.action import ActionState
from pendesk.domain.claim import ActionFacts, Claim
from pendesk.domain.comparison import compare_fields
from pendesk.domain.review import Submission
from pendesk.operations.actions.history import SubmissionRow, to_submission_row
from pendesk.operations.building.brief_texts import brief_texts_by_field_name
from pendesk.operations.github.code_state import CodeState, code_state_by_action_id
from pendesk.operations.github.fetch_state import FetchState, fetch_state
from pendesk.operations.operation import Call, Output
from pendesk.operations.review.author import Authors, Who
from pendesk.operations.review.traces import Trace, TracedCommit, truncate_review_text
from pendesk.operations.revisions.comparison_results import FieldDiff, to_field_diffs
from pendesk.operations.specs.results import build_name_or_none
from pendesk.store import agent_sessions, builds, claims
from pendesk.store.builds import BriefTexts

SUPERSEDED = "{new} was published after this work was claimed on {old}."
READ = " The agent has read {new} since."
DIFFERS = " What the brief says has changed: see the changes, and whether the work follows them."
SAME = " The brief of this action reads the same."


class Handed(SubmissionRow, kw_only=True):
    """build: what the work was claimed on. advisory: where a newer build has been published since.

    waiting: whether it waits for a verdict. code: its pull request and its checks. fetch: where they, and the change,
    can be read from GitHub (fetch_change).
    """

    who: Who | None
    build: str | None
    waiting: bool
    advisory: str | None = None
    code: CodeState | None = None
    fetch: FetchState | None = None


class SinceLast(Output):
    """What is new since the submission before, in numbers; the rows themselves are marked fresh."""

    number: int
    head_sha: str | None
    submitted_at: str
    commits: int
    evidence: int
    tests: int
    brief: list[FieldDiff]


def submission_view(
    call: Call, facts: ActionFacts, newest: Submission, authors: Authors, *, is_reviewed: bool
) -> Handed:
    row = to_submission_row(call, newest, facts.action.project_id, authors.names)
    claim = claims.by_id(call.tx, newest.claim_id)
    taken_on = builds.number(call.tx, newest.build_id) if newest.build_id else None
    build = build_name_or_none(taken_on or 0)
    return Handed(
        **{name: getattr(row, name) for name in row.__struct_fields__},
        who=authors.author(newest.submitted_by, claim.agent_model if claim else None, _agent_label(call, claim)),
        build=build,
        waiting=facts.action.state == ActionState.IN_REVIEW and not is_reviewed,
        advisory=_newer_build_advisory(call, facts, newest, claim) if build else None,
        code=code_state_by_action_id(call, [facts.action.id]).get(facts.action.id),
        fetch=fetch_state(call, facts, newest),
    )


def _agent_label(call: Call, claim: Claim | None) -> str | None:
    session_id = claim.session_id if claim else None
    return agent_sessions.labels_by_id(call.tx, [session_id]).get(session_id or "")


def _newer_build_advisory(call: Call, facts: ActionFacts, newest: Submission, claim: Claim | None) -> str | None:
    if newest.build_id is None or newest.build_id == facts.build_id:
        return None
    read = claim is not None and claim.seen_build_id == facts.build_id
    differs = _brief_changed_since_build(call, facts, newest.build_id)
    text = SUPERSEDED + (READ if read else "") + (DIFFERS if differs else SAME)
    old = build_name_or_none(builds.number(call.tx, newest.build_id) or 0)
    return text.format(new=build_name_or_none(facts.build_number or 0), old=old)


def _brief_changed_since_build(call: Call, facts: ActionFacts, build_id: str) -> bool:
    """Without saying what, which costs more."""
    old, new = _old_and_current_brief_texts(call, facts, build_id)
    return old is not None and new is not None and brief_texts_by_field_name(old) != brief_texts_by_field_name(new)


def _old_and_current_brief_texts(
    call: Call, facts: ActionFacts, old_build_id: str
) -> tuple[BriefTexts | None, BriefTexts | None]:
    """What a build says, and what the one says that is current now."""
    if facts.build_id is None:
        return None, None
    old = builds.brief_texts(call.tx, old_build_id, facts.action.id)
    return old, builds.brief_texts(call.tx, facts.build_id, facts.action.id)


def brief_changes_since_build(call: Call, facts: ActionFacts, build_id: str | None) -> list[FieldDiff]:
    """From a build to the one that is current now, word by word; of what stayed only the surroundings."""
    if build_id is None or build_id == facts.build_id:
        return []
    old, new = _old_and_current_brief_texts(call, facts, build_id)
    if old is None or new is None:
        return []
    diffs = to_field_diffs(compare_fields(brief_texts_by_field_name(old), brief_texts_by_field_name(new)))
    for field in diffs:
        field.items = [item for item in field.items if item.change != "same"]
        for part in [*field.parts, *(part for item in field.items for part in item.parts)]:
            part.text = _shorten_middle(part.text) if part.change == "same" else truncate_review_text(part.text)
    return diffs[: limits.CHANGES_TOLD]


def _shorten_middle(text: str) -> str:
    """The beginning and the end of a long text that stayed as it was."""
    side = limits.DIFF_SURROUNDINGS_CHARS
    return text if len(text) <= 2 * side + 3 else f"{text[:side]} … {text[-side:]}"


def changes_since_previous_submission(
    call: Call, facts: ActionFacts, previous: Submission, traces: list[Trace], commits: list[TracedCommit]
) -> SinceLast:
    spec_id = facts.action.spec_id
    current_then = builds.current_id_at(call.tx, spec_id, previous.submitted_at) if spec_id else None
    return SinceLast(
        number=previous.number,
        head_sha=previous.head_sha,
        submitted_at=to_iso(previous.submitted_at),
        commits=sum(commit.fresh for commit in commits),
        evidence=sum(piece.fresh for trace in traces for piece in trace.evidence),
        tests=sum(result.fresh for trace in traces for result in trace.tests),
        brief=brief_changes_since_build(call, facts, current_then),
    )
