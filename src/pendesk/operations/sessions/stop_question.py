"""The question at the end of a turn: a session that still holds an action submits it, says what is missing, or releases
it. Asked once for each claim: no client limits it for us, and an agent that waits for its person may end its turn.
"""

from pendesk.domain.action import ref_code
from pendesk.domain.agent_session import AgentSession
from pendesk.domain.claim import ClaimKind
from pendesk.operations.operation import Call
from pendesk.store import claims
from pendesk.store.claims import UnaskedClaim

LEASE_ADVICE = (
    "submit it with submit_for_review, say what is missing with update_progress, ask with request_clarification, or "
    "give it back with release_action"
)
TASK_ADVICE = "set its status with update_task (done, in_review, or todo to give it back)"
LAST_WORD = "If your user wants you to wait, end your turn again: this is asked once."


def ask_about_unfinished_work(call: Call, session: AgentSession) -> str:
    """Empty where there is nothing to ask."""
    unfinished = claims.unasked_of_session(call.tx, session.id)
    if not unfinished:
        return ""
    claims.record_stop_question(call.tx, [claim.id for claim in unfinished])
    return " ".join([*(_question(claim) for claim in unfinished), LAST_WORD])


def _question(claim: UnaskedClaim) -> str:
    advice = LEASE_ADVICE if claim.kind == ClaimKind.LEASE else TASK_ADVICE
    return f"You still hold {ref_code(claim.project_key, claim.ref_number)} ({claim.label}). Before you stop: {advice}."
