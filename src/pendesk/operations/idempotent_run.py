"""A call with an idempotency key: run once, and the same call again gets the same answer."""

import hashlib

import msgspec

from pendesk.domain.errors import RuleBroken
from pendesk.operations.caller_session import is_told_apart
from pendesk.operations.operation import AnyOperation, Call, Input, Output, Run, encode_json
from pendesk.store import idempotency
from pendesk.store.idempotency import StoredAnswer


def run_idempotent(call: Call, operation: AnyOperation, run: Run, args: Input, idempotency_key: str) -> Output:
    body_hash = hashlib.sha256(operation.name.encode() + encode_json(args.idempotency_payload())).hexdigest()
    # Two calls with one key run one after the other: the second finds the first one's answer.
    user_id = call.actor.user_id
    idempotency.lock_key(call.tx, user_id, idempotency_key)
    answers = idempotency.answers_of_key(call.tx, user_id, idempotency_key)
    session_id = call.agent_session.id if call.agent_session else ""
    known = _choose_stored_answer(call, answers, session_id)
    if known is None:
        answer = run(call, args)
        stored = StoredAnswer(session_id, body_hash, encode_json(answer).decode())
        idempotency.save_answer(call.tx, user_id, idempotency_key, operation.name, stored)
        return answer
    if known.body_hash != body_hash:
        raise RuleBroken(
            "This idempotency_key was used for another call. Repeat the same call with it, or take a new key.",
            code="idempotency_key_reused",
        )
    return msgspec.json.decode(known.answer, type=operation.output)  # type: ignore[no-any-return]


def _choose_stored_answer(call: Call, answers: list[StoredAnswer], session_id: str) -> StoredAnswer | None:
    """Of two terminals that chose one key each has its own answer; where nothing tells them apart, they share it."""
    own = [answer for answer in answers if answer.session_id == session_id]
    shared = (answer for answer in answers if not is_told_apart(call.tx, call.actor, answer.session_id))
    return own[0] if own else next(shared, None)
