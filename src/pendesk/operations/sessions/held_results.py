"""What an agent session or a person holds, as people read it."""

from pendesk.clock import to_iso
from pendesk.domain.action import ref_code
from pendesk.domain.claim import expiry_iso, lease_liveness
from pendesk.operations.operation import Call, Output
from pendesk.store.agents import HeldAction


class Held(Output):
    """pulse: how the lease is doing. waiting: open questions. claimId: for people."""

    action_pid: str
    ref_code: str
    label: str
    agent_model: str | None
    taken_at: str
    renewed_at: str
    expires_at: str | None
    pulse: str
    waiting: int
    message: str | None = None
    claim_id: str | None = None


def held_action_row(call: Call, held_action: HeldAction) -> Held:
    return Held(
        claim_id=held_action.claim_id if call.actor.token_id is None else None,
        action_pid=held_action.action_id,
        ref_code=ref_code(held_action.project_key, held_action.ref_number),
        label=held_action.label,
        agent_model=held_action.agent_model,
        taken_at=to_iso(held_action.taken_at),
        renewed_at=to_iso(held_action.renewed_at),
        expires_at=expiry_iso(held_action.expires_at),
        pulse=lease_liveness(held_action.renewed_at, held_action.expires_at, call.now),
        waiting=held_action.waiting,
        message=held_action.last_message,
    )
