"""push_change: what the branch of an action does to the code, from the repository where it was written."""

import asyncio
import os
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ActionState
from pendesk.domain.change import Change, ChangeSource
from pendesk.domain.claim import ActionFacts, Claim, is_open_rework, is_writable_by_caller
from pendesk.domain.claim_refusals import not_held_refusal
from pendesk.domain.project import ReceivedFile
from pendesk.operations.attachments.receipts import verify_receipt
from pendesk.operations.building.claim_guard import (
    alternatives,
    find_action_past_scoping,
    find_and_lock_action_past_scoping,
    find_and_lock_held_action,
    has_caller_held,
    renew_or_resume_claim_if_due,
)
from pendesk.operations.building.claim_overlaps import OVERLAPS, lock_work_of_project
from pendesk.operations.changes.change_upload import unpack_change
from pendesk.operations.changes.deviations import ADVISORY as DEVIATES
from pendesk.operations.changes.deviations import DeviationResult, deviation_results
from pendesk.operations.changes.overlaps import record_overlaps
from pendesk.operations.changes.save_change import save_change
from pendesk.operations.changes.stored_change import StoredChange, store_change
from pendesk.operations.fields import ActionId, ClaimId
from pendesk.operations.operation import Call, Files, Input, Kind, Operation, Output, RemoteOperation
from pendesk.operations.outbound import Outbound, no_op_finish
from pendesk.operations.overlap_results import OverlapResult
from pendesk.operations.session_news import NewsItem, pop_unread_news
from pendesk.store import deviations, reviews

SHOWN = "The reviewer sees it with the submission."
PENDING = "Submit this head with submit_for_review, or resubmit_for_review: the reviewer sees it then."
MOVED = "The submission in review has another head: submit this one with resubmit_for_review."


class PushChange(Input):
    action_id: ActionId
    receipt: Annotated[str, Meta(max_length=400, description="What the upload answered.")]
    claim_id: ClaimId | None = None


class ChangePushed(Output):
    """submission_number: of the submission that shows it. omitted: files without their hunks. deviations: of that
    submission, where it departs from what was agreed.
    """

    pid: str
    action_pid: str
    ref_code: str
    head_sha: str
    files: int
    added: int
    removed: int
    omitted: int
    submission_number: int | None = None
    overlaps: list[OverlapResult] = []
    advisory: str | None = None
    next_step: str | None = msgspec.field(default=None, name="next_step")
    deviations: list[DeviationResult] = []
    news: list[NewsItem] = []


class Received(NamedTuple):
    files: Files
    upload: ReceivedFile


def prepare(call: Call, args: PushChange) -> Received:
    # What is not there, or another's, is refused before a diff is read.
    _check_pushable(call, find_action_past_scoping(call, args.action_id), args.claim_id)
    return Received(call.installation.files, verify_receipt(call, args.receipt))


async def read_and_store(_outbound: Outbound, received: Received) -> StoredChange:
    return await asyncio.to_thread(_read_and_store, received)


def _read_and_store(received: Received) -> StoredChange:
    handle = received.files.open_fd(received.upload.key)
    assert handle is not None, "an upload lies there longer than its receipt is good"
    with os.fdopen(handle, "rb") as file:
        unpacked = unpack_change(file.read())
    return store_change(received.files, *unpacked)


def record(call: Call, args: PushChange, _received: Received, stored: StoredChange) -> ChangePushed:
    lock_work_of_project(call, args.action_id)
    facts, claim = _lock_pushable_action(call, args)
    change = save_change(call, facts, claim, stored, ChangeSource.PUSH)
    overlaps = record_overlaps(call, facts)
    if claim is not None:
        renew_or_resume_claim_if_due(call, facts, claim)
    number, next_step = _where_it_shows(call, change)
    departures = deviation_results(deviations.of_submission(call.tx, change.submission_id or ""))
    return ChangePushed(
        pid=change.id,
        action_pid=facts.action.id,
        ref_code=facts.ref,
        head_sha=change.head_sha,
        files=change.files,
        added=change.added,
        removed=change.removed,
        omitted=change.omitted,
        submission_number=number,
        overlaps=overlaps,
        advisory=" ".join(text for text, applies in ((DEVIATES, departures), (OVERLAPS, overlaps)) if applies) or None,
        next_step=next_step,
        deviations=departures,
        news=pop_unread_news(call, facts),
    )


def _check_pushable(call: Call, facts: ActionFacts, claim_id: str | None) -> None:
    if _is_person_or_submitter(call, facts) or is_open_rework(facts, call.now):
        return
    if facts.claim is None or not is_writable_by_caller(facts, claim_id):
        held_before = has_caller_held(call, facts, claim_id)
        raise not_held_refusal(facts, claim_id, held_before, None, call.now, alternatives(call, facts))


def _is_person_or_submitter(call: Call, facts: ActionFacts) -> bool:
    is_own = facts.claim is not None and facts.claim.user_id == call.actor.user_id
    return Scope.PERSON in call.actor.scopes or (facts.action.state == ActionState.IN_REVIEW and is_own)


def _lock_pushable_action(call: Call, args: PushChange) -> tuple[ActionFacts, Claim | None]:
    """A person may push for every action, an agent for what it holds, and for what it has submitted."""
    facts = find_and_lock_action_past_scoping(call, args.action_id)
    if _is_person_or_submitter(call, facts):
        return facts, None if Scope.PERSON in call.actor.scopes else facts.claim
    return find_and_lock_held_action(call, args.action_id, args.claim_id, lock_first=lock_work_of_project)


def _where_it_shows(call: Call, change: Change) -> tuple[int | None, str]:
    newest = reviews.newest_submission(call.tx, change.action_id)
    if newest is not None and newest.id == change.submission_id:
        return newest.number, SHOWN
    is_in_review = newest is not None and reviews.of_submission(call.tx, newest.id) is None
    return None, MOVED if is_in_review else PENDING


OPERATION = Operation(
    name="push_change",
    title="Push a change",
    description=(
        "Send what the branch of an action does to the code, for its reviewer: the file that `pendesk change push` "
        "makes. Another push replaces it until it is submitted. Refused: 404 no such action, 413 too large, 422 not a "
        "change, a secret in it, or you do not hold the action, 409 your claim was lost."
    ),
    input=PushChange,
    output=ChangePushed,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=RemoteOperation(prepare=prepare, send=read_and_store, record=record, finish=no_op_finish),
)
