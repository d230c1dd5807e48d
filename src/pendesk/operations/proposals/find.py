"""Proposals by what a caller names them with."""

from pendesk.domain.errors import NotFound
from pendesk.domain.proposal import Proposal
from pendesk.ids import parse_id
from pendesk.operations.operation import Call
from pendesk.store import projects, proposals


def find_proposal(call: Call, proposal_id: str) -> Proposal:
    pid = parse_id(proposal_id)
    proposal = proposals.by_id(call.tx, pid) if pid else None
    if proposal is None:
        raise NotFound("draft", proposal_id)
    return proposal


def find_and_lock_proposal(call: Call, proposal_id: str) -> Proposal:
    """Its project first, in which accepting it creates and connects actions."""
    proposal = find_proposal(call, proposal_id)
    projects.lock(call.tx, proposal.project_id)
    proposals.lock(call.tx, proposal.id)
    return find_proposal(call, proposal_id)
