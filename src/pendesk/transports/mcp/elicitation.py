"""Asking the user at once: request_clarification on a client that can show a form.

The question is recorded first, like every other. Then the call is answered with `input_required`: the client shows
the question, and calls again with what the user typed and with the state that we signed. Nothing is remembered
here between the two calls, so they may reach different processes.
"""

from typing import TYPE_CHECKING, Any

from pendesk.domain.signature import is_signed, sign
from pendesk.operations.building.results import ClarificationResult
from pendesk.operations.operation import Output
from pendesk.transports.mcp.messages import INVALID_PARAMS, ProtocolError

if TYPE_CHECKING:
    from pendesk.transports.mcp.methods import McpCall

ASKING = "request_clarification"
FIELD = "answer"
PURPOSE = "elicitation"


def offered(call: "McpCall", operation: str, output: Output) -> dict[str, Any] | None:
    """The request to the client, where it can ask the user and the question is still open."""
    if operation != ASKING or not _can_ask(call) or not isinstance(output, ClarificationResult):
        return None
    if output.status != "open" or call.params.request_state is not None:
        return None
    form = {
        "mode": "form",
        "message": output.question,
        "requestedSchema": {
            "type": "object",
            "properties": {FIELD: {"type": "string", "title": "Answer", "minLength": 1, "maxLength": 4000}},
            "required": [FIELD],
        },
    }
    return {
        "resultType": "input_required",
        "inputRequests": {FIELD: {"method": "elicitation/create", "params": form}},
        "requestState": f"{output.pid}.{_signature(call, output.pid)}",
    }


async def resumed(call: "McpCall", operation: str, arguments: bytes) -> Output | None:
    """The second round: the user's answer is recorded as relayed; without one the question stays open."""
    state = call.params.request_state
    if operation != ASKING or state is None:
        return None
    pid, _, signature = state.partition(".")
    if not is_signed(signature, call.door.desk.signing_key, PURPOSE, call.actor.user_id, pid):
        raise ProtocolError(INVALID_PARAMS, "requestState is not one that this server gave you.", status=200)
    given = _given(call.params.input_responses or {})
    if given is None:
        return await call.door.call(call.actor, "get_clarification", {"clarification_pid": pid})
    return await call.door.call(call.actor, "answer_clarification", {"clarification_pid": pid, "answer": given})


def _given(responses: dict[str, Any]) -> str | None:
    response = responses.get(FIELD)
    if not isinstance(response, dict) or response.get("action") != "accept":
        return None
    content = response.get("content")
    text = content.get(FIELD) if isinstance(content, dict) else None
    return text if isinstance(text, str) and text.strip() else None


def _can_ask(call: "McpCall") -> bool:
    """Form mode: the capability is there, and does not limit itself to URLs."""
    meta = call.params.meta
    capabilities = (meta.capabilities or {}) if call.modern and meta else {}
    elicits = capabilities.get("elicitation")
    return isinstance(elicits, dict) and (not elicits or "form" in elicits)


def _signature(call: "McpCall", pid: str) -> str:
    return sign(call.door.desk.signing_key, PURPOSE, call.actor.user_id, pid)
