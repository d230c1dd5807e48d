"""Asking the user at once, on a client that can show a form.

What a tool asks is recorded first, like everything else. Then the call is answered with `input_required`: the client
shows the question, and calls again with what the user typed and with the state that we signed. Nothing is remembered
here between the two calls, so they may reach different processes.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from pendesk.domain.access import Scope
from pendesk.domain.limits import MESSAGE_CHARS
from pendesk.domain.signature import is_signed, sign
from pendesk.operations.building.results import ClarificationResult
from pendesk.operations.operation import Output
from pendesk.transports.mcp.messages import INVALID_PARAMS, ProtocolError

if TYPE_CHECKING:
    from pendesk.transports.mcp.methods import McpCall

PURPOSE = "elicitation"


class Question(NamedTuple):
    """What the user is asked, and the id that the answer is about."""

    about: str
    text: str


class Form(NamedTuple):
    """How one tool asks: a form with one field, and the operations that take the answer, or do without it."""

    name: str
    field: str
    schema: dict[str, Any]
    question: Callable[[Any], Question | None]
    answered: Callable[[str, Any], tuple[str, dict[str, Any]]]
    unanswered: Callable[[str], tuple[str, dict[str, Any]]]


def offered(call: "McpCall", tool: str, output: Output) -> dict[str, Any] | None:
    """The request to the client, where it can ask the user and there is something to ask."""
    form = call.tools.forms.get(tool)
    if form is None or call.params.request_state is not None or not _can_ask(call):
        return None
    question = form.question(output)
    if question is None:
        return None
    asked = {
        "mode": "form",
        "message": question.text,
        "requestedSchema": {"type": "object", "properties": {form.field: form.schema}, "required": [form.field]},
    }
    return {
        "resultType": "input_required",
        "inputRequests": {form.name: {"method": "elicitation/create", "params": asked}},
        "requestState": f"{question.about}.{_signature(call, tool, question.about)}",
    }


async def resumed(call: "McpCall", tool: str) -> Output | None:
    """The second round: what the user said is passed on; without it the question stays open."""
    form, state = call.tools.forms.get(tool), call.params.request_state
    if form is None or state is None:
        return None
    about, _, signature = state.partition(".")
    if not is_signed(signature, call.dispatcher.installation.signing_key, PURPOSE, call.actor.user_id, tool, about):
        raise ProtocolError(INVALID_PARAMS, "requestState is not one that this server gave you.", status=200)
    given = _given(form, call.params.input_responses or {})
    if given is None:
        # Only to tell callers where their own question stands, which the state proves: any scope that may ask will do.
        actor = call.actor._replace(scopes=call.actor.scopes | {Scope.SPECS_READ})
        return await call.dispatcher.call(actor, *form.unanswered(about))
    return await call.dispatcher.call(call.actor, *form.answered(about, given))


def _given(form: Form, responses: dict[str, Any]) -> Any:
    """Whatever stands in the field, for the operation to judge; None where the user declined or left it blank."""
    response = responses.get(form.name)
    if not isinstance(response, dict) or response.get("action") != "accept":
        return None
    content = response.get("content")
    value = content.get(form.field) if isinstance(content, dict) else None
    return None if isinstance(value, str) and not value.strip() else value


def _can_ask(call: "McpCall") -> bool:
    """Form mode: the capability is there, and does not limit itself to URLs."""
    meta = call.params.meta
    capabilities = (meta.capabilities or {}) if call.modern and meta else {}
    elicits = capabilities.get("elicitation")
    return isinstance(elicits, dict) and (not elicits or "form" in elicits)


def _signature(call: "McpCall", tool: str, about: str) -> str:
    return sign(call.dispatcher.installation.signing_key, PURPOSE, call.actor.user_id, tool, about)


def _open_question(output: ClarificationResult) -> Question | None:
    return Question(output.pid, output.question) if output.status == "open" else None


FORMS = {
    "request_clarification": Form(
        name="answer",
        field="answer",
        schema={"type": "string", "title": "Answer", "minLength": 1, "maxLength": MESSAGE_CHARS},
        question=_open_question,
        answered=lambda pid, answer: ("answer_clarification", {"clarification_pid": pid, "answer": answer}),
        unanswered=lambda pid: ("get_clarification", {"clarification_pid": pid}),
    )
}
