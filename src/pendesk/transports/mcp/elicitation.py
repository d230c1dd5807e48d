"""Asks the user immediately, on a client that can show a form.

The question of a tool is recorded first. Then the call returns `input_required`: the client shows the question, and
calls again with the user's input and with the state that we signed. Nothing is stored here between the two calls, so
they may reach different processes.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from pendesk.domain.access import Scope
from pendesk.domain.hidden_characters import mark_hidden
from pendesk.domain.limits import MESSAGE_CHARS
from pendesk.domain.signature import is_valid_signature, sign
from pendesk.operations.building.results import ClarificationResult
from pendesk.operations.operation import Output
from pendesk.transports.mcp.messages import INVALID_PARAMS, ProtocolError

if TYPE_CHECKING:
    from pendesk.transports.mcp.methods import McpCall

PURPOSE = "elicitation"


class Question(NamedTuple):
    """The text for the user, and the id of what the answer belongs to."""

    subject_id: str
    text: str


class Form(NamedTuple):
    """The form of one tool: one field, and the operation calls for an answer and for none."""

    name: str
    field: str
    schema: dict[str, Any]
    question: Callable[[Any], Question | None]
    call_with_answer: Callable[[str, Any], tuple[str, dict[str, Any]]]
    call_without_answer: Callable[[str], tuple[str, dict[str, Any]]]


def build_input_required_result(call: "McpCall", tool: str, output: Output) -> dict[str, Any] | None:
    """The request to the client, if it can ask the user and there is a question."""
    form = call.tools.forms.get(tool)
    if form is None or call.params.request_state is not None or not _client_supports_form_elicitation(call):
        return None
    question = form.question(output)
    if question is None:
        return None
    params = {
        "mode": "form",
        "message": mark_hidden(question.text),
        "requestedSchema": {"type": "object", "properties": {form.field: form.schema}, "required": [form.field]},
    }
    return {
        "resultType": "input_required",
        "inputRequests": {form.name: {"method": "elicitation/create", "params": params}},
        "requestState": f"{question.subject_id}.{_request_state_signature(call, tool, question.subject_id)}",
    }


async def resume_tool_call_with_user_input(call: "McpCall", tool_name: str) -> Output | None:
    """The second call: the user's input is passed on; without it the question stays open."""
    form, state = call.tools.forms.get(tool_name), call.params.request_state
    if form is None or state is None:
        return None
    subject_id, _, signature = state.partition(".")
    if not is_valid_signature(
        signature, call.dispatcher.installation.signing_key, PURPOSE, call.actor.user_id, tool_name, subject_id
    ):
        raise ProtocolError(INVALID_PARAMS, "requestState was not issued to you by this server.", status=200)
    value = _accepted_form_value(form, call.params.input_responses or {})
    if value is None:
        # Only the state of the caller's own question, which the signature proves: any scope that may ask will do.
        actor = call.actor._replace(scopes=call.actor.scopes | {Scope.SPECS_READ})
        return await call.dispatcher.call(actor, *form.call_without_answer(subject_id))
    return await call.dispatcher.call(call.actor, *form.call_with_answer(subject_id, value))


def _accepted_form_value(form: Form, responses: dict[str, Any]) -> Any:
    """The value of the field, which the operation checks; None if the user declined or left it blank."""
    response = responses.get(form.name)
    if not isinstance(response, dict) or response.get("action") != "accept":
        return None
    content = response.get("content")
    value = content.get(form.field) if isinstance(content, dict) else None
    return None if isinstance(value, str) and not value.strip() else value


def _client_supports_form_elicitation(call: "McpCall") -> bool:
    """Form mode: the client has the capability, and not for URLs only."""
    meta = call.params.meta
    capabilities = (meta.capabilities or {}) if call.stateless and meta else {}
    elicitation = capabilities.get("elicitation")
    return isinstance(elicitation, dict) and (not elicitation or "form" in elicitation)


def _request_state_signature(call: "McpCall", tool: str, subject_id: str) -> str:
    return sign(call.dispatcher.installation.signing_key, PURPOSE, call.actor.user_id, tool, subject_id)


def _question_if_open(output: ClarificationResult) -> Question | None:
    return Question(output.pid, output.question) if output.status == "open" else None


FORMS = {
    "request_clarification": Form(
        name="answer",
        field="answer",
        schema={"type": "string", "title": "Answer", "minLength": 1, "maxLength": MESSAGE_CHARS},
        question=_question_if_open,
        call_with_answer=lambda pid, answer: ("answer_clarification", {"clarification_pid": pid, "answer": answer}),
        call_without_answer=lambda pid: ("get_clarification", {"clarification_pid": pid}),
    )
}
