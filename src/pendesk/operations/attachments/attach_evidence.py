"""attach_evidence: a log, a picture or another file becomes evidence for a criterion."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import action_event
from pendesk.domain.claim import ActionFacts, Claim
from pendesk.domain.criterion import EvidenceLevel
from pendesk.domain.errors import RuleBroken
from pendesk.domain.event_data import AttachmentAddedData
from pendesk.domain.limits import CRITERION_ATTACHMENTS
from pendesk.domain.report import check_criteria_belong_to_action
from pendesk.operations.attachments.put_attachment import (
    AttachmentView,
    UploadedFile,
    attachment_view,
    save_attachment,
)
from pendesk.operations.attachments.receipts import verify_receipt
from pendesk.operations.building.claim_guard import (
    find_and_lock_held_action,
    lock_caller_and_action_past_scoping,
    renew_or_resume_claim_if_due,
)
from pendesk.operations.building.evidence import add_evidence, criterion_text_by_id, published_criteria_by_id
from pendesk.operations.fields import ActionId, ClaimId, Ident
from pendesk.operations.operation import Call, Kind, Operation
from pendesk.store import attachments, people, reports


class AttachEvidence(UploadedFile, kw_only=True):
    action_id: ActionId
    criterion_id: Annotated[Ident, Meta(description="The criterion's id from the brief.")]
    claim_id: ClaimId | None = None


def run(call: Call, args: AttachEvidence) -> AttachmentView:
    facts, claim = _lock_writable_action(call, args)
    published = published_criteria_by_id(call, facts)
    check_criteria_belong_to_action([args.criterion_id], criterion_text_by_id(published))
    received = verify_receipt(call, args.receipt)
    if attachments.count_of_criterion(call.tx, args.criterion_id) >= CRITERION_ATTACHMENTS:
        raise RuleBroken(
            f"This criterion has {CRITERION_ATTACHMENTS} files already. Put the rest into one file, or ask a person to "
            "remove some.",
            code="too_many_attachments",
        )
    attachment = save_attachment(call, args, received, facts.action.project_id, criterion_id=args.criterion_id)
    sha = reports.newest_commit_sha_of_action(call.tx, facts.action.id)
    entry = (published[args.criterion_id], f"Attached {attachment.name}.", attachment.id)
    evidence = add_evidence(call, EvidenceLevel.CLAIMED, sha, [entry])
    data = AttachmentAddedData(
        name=attachment.name,
        size_bytes=attachment.size_bytes,
        sha256=attachment.sha256,
        criterion_id=args.criterion_id,
        evidence_added=evidence.event_data(),
    )
    event = action_event(facts.action, "attachment.added", data, attachment.id)
    call.record(event, claim.agent_model if claim else None)
    if claim is not None:
        renew_or_resume_claim_if_due(call, facts, claim)
    return attachment_view(attachment)


def _lock_writable_action(call: Call, args: AttachEvidence) -> tuple[ActionFacts, Claim | None]:
    """A person may add to every action, an agent only to what it holds. The member is locked with it, so that no
    receipt is used twice.
    """
    if Scope.PERSON in call.actor.scopes:
        return lock_caller_and_action_past_scoping(call, args.action_id), None
    return find_and_lock_held_action(call, args.action_id, args.claim_id, lock_first=_lock_member)


def _lock_member(call: Call, _action_id: str) -> None:
    people.lock_member(call.tx, call.actor.user_id)


OPERATION = Operation(
    name="attach_evidence",
    title="Attach evidence to a criterion",
    description=(
        "Attach an uploaded log, picture or other file to a criterion of an action that you hold; the reviewer sees it "
        "there. It is self-reported evidence. Refused: 404 no such action, 422 an unknown criterion, no claim, too "
        "many files, no room for more, or a receipt that is not yours, too old or used, 409 your claim was lost."
    ),
    input=AttachEvidence,
    output=AttachmentView,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
