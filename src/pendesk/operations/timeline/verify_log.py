"""verify_log: the log of every workspace is compared with its seals."""

from functools import partial
from typing import NamedTuple

from pendesk.domain.event import LoggedEvent
from pendesk.domain.seal import EventLogVerifier, Finding, VerificationResult
from pendesk.operations.operation import PrivilegedCall, ServerOperation, Transactions
from pendesk.store import events, seals

EVENTS_PER_STEP = 1_000


class WorkspaceVerdict(NamedTuple):
    workspace_id: str
    name: str
    verdict: VerificationResult


class VerifyLog(NamedTuple):
    """`expected`: the number and hash of a head that must be a link of one of the logs. One workspace, or all."""

    expected: tuple[int, str] | None = None
    workspace_id: str | None = None


async def run(transactions: Transactions, args: VerifyLog) -> list[WorkspaceVerdict]:
    verdicts, met = [], args.expected is None
    for workspace_id, name in await transactions.read("", lambda call: seals.all_workspace_ids_and_names(call.tx)):
        if args.workspace_id not in (None, workspace_id):
            continue
        verifier = await _verify_workspace_log(transactions, workspace_id, args.expected)
        verdicts.append(WorkspaceVerdict(workspace_id, name, verifier.finish()))
        met = met or verifier.has_found_expected_hash
    if args.expected is not None and not met:
        missing = Finding(args.expected[0], "no log goes through the head that was expected: it was rewritten")
        verdicts = [_with_finding(verdict, missing) for verdict in verdicts]
    return verdicts


def _with_finding(workspace_verdict: WorkspaceVerdict, finding: Finding) -> WorkspaceVerdict:
    verdict = workspace_verdict.verdict
    return workspace_verdict._replace(verdict=verdict._replace(findings=[*verdict.findings, finding]))


async def _verify_workspace_log(
    transactions: Transactions, workspace_id: str, expected_seq_and_hash: tuple[int, str] | None
) -> EventLogVerifier:
    workspace_seals = await transactions.read(workspace_id, lambda call: seals.of_workspace(call.tx))
    verifier = EventLogVerifier(
        transactions.installation.signing_key, workspace_id, workspace_seals, expected_seq_and_hash
    )
    page = await transactions.long_read(workspace_id, partial(_next_event_batch_after, 0))
    while page:
        verifier.add_findings_for_events(page)
        page = await transactions.long_read(workspace_id, partial(_next_event_batch_after, page[-1].seq))
    return verifier


def _next_event_batch_after(seq: int, call: PrivilegedCall) -> list[LoggedEvent]:
    return events.all_after_ignoring_visibility(call.tx, seq, EVENTS_PER_STEP)


OPERATION = ServerOperation(
    name="verify_log",
    title="Verify the log",
    description="Every workspace by name, with what its seals say about its log.",
    input=VerifyLog,
    output=list[WorkspaceVerdict],
    run=run,
)
