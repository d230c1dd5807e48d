"""record_check: CI's word on a commit, and the evidence that it gives or takes back."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import action_event
from pendesk.domain.checks import CiCheck, Rollup, roll_up_checks, state_from_conclusion, supersedes
from pendesk.domain.event_data import ChecksChangedData
from pendesk.domain.limits import CHECK_NAME_CHARS, CHECKS_PER_SHA
from pendesk.operations.building.ci_evidence import (
    add_ci_evidence_if_checks_passed,
    mark_ci_evidence_stale,
    reported_head_shas,
)
from pendesk.operations.fields import Url
from pendesk.operations.github.delivery import (
    DeliveryInput,
    Received,
    Sha,
    begin_delivery_unless_repeated,
    repeated_delivery_result,
)
from pendesk.operations.operation import Call, Kind, Operation
from pendesk.store import actions, checks, reports


class RecordCheck(DeliveryInput):
    """`at` is CI's time, in microseconds; `conclusion` its word, where it has concluded."""

    sha: Sha
    name: Annotated[str, Meta(min_length=1, max_length=CHECK_NAME_CHARS)]
    conclusion: Annotated[str, Meta(max_length=40)] | None = None
    url: Url | None = None
    at: Annotated[int, Meta(ge=0, le=2**53)] | None = None


def run(call: Call, args: RecordCheck) -> Received:
    opened = begin_delivery_unless_repeated(call, args)
    if opened is None:
        return repeated_delivery_result()
    check = CiCheck(
        project_id=opened.project.id,
        sha=args.sha,
        name=args.name,
        state=state_from_conclusion(args.conclusion),
        url=args.url,
        updated_at=call.now if args.at is None else args.at,
        conclusion=args.conclusion,
    )
    return opened.record_outcome(save_check(call, check))


def save_check(call: Call, check: CiCheck) -> str:
    """What came of it. Whoever brings checks of the project has locked its webhook."""
    before = checks.of_commit(call.tx, check.project_id, check.sha)
    known = next((other for other in before if other.name == check.name), None)
    if not supersedes(check, known):
        return f"{check.name} on {check.sha}: an older word, left out."
    if known is None and len(before) >= CHECKS_PER_SHA:
        return f"More than {CHECKS_PER_SHA} checks on {check.sha}; left out."
    after = [check, *(other for other in before if other.name != check.name)]
    checks.save(call.tx, check)
    _apply_ci_check_to_linked_actions(call, check, roll_up_checks(before), roll_up_checks(after))
    return f"{check.name} on {check.sha}: {check.state}."


def _apply_ci_check_to_linked_actions(call: Call, check: CiCheck, rollup_before: Rollup, rollup_after: Rollup) -> None:
    linked = reports.action_ids_linked_to_commit_sha(call.tx, check.project_id, check.sha)
    for action_id in linked:
        actions.lock(call.tx, action_id)
    for action_id in linked:
        facts = actions.facts(call.tx, action_id)
        assert facts is not None
        if check.state == "failed":
            mark_ci_evidence_stale(call, facts, check)
        if check.sha not in reported_head_shas(call, action_id):
            continue
        if rollup_before != rollup_after:
            data = ChecksChangedData(
                by=call.actor.user_name,
                sha=check.sha,
                before=rollup_before,
                after=rollup_after,
                check=check.name,
                url=check.url,
            )
            call.record(action_event(facts.action, "checks.changed", data))
        add_ci_evidence_if_checks_passed(call, facts, check.sha)


OPERATION = Operation(
    name="record_check",
    title="Record a check",
    description=(
        "How a check of CI stands on a commit. When all are green on an action's reported head, its implemented "
        "criteria get evidence of level ci; a red one later makes that stale. Only a signed webhook does this."
    ),
    input=RecordCheck,
    output=Received,
    scope=Scope.WEBHOOK,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
