"""count_text: add to what an account has written, and say whether it may go on."""

from typing import NamedTuple

from pendesk.domain.access import Actor
from pendesk.domain.errors import RuleBroken
from pendesk.domain.text_quota import day_of, refusal_of_text
from pendesk.operations.operation import PrivilegedCall, ServerOperation, Transactions
from pendesk.store import text_use


class CountText(NamedTuple):
    actor: Actor
    written_bytes: int


class CountedText(NamedTuple):
    """`refusal`: of what comes next, where as much was written as may be. What was written is counted all the same."""

    refusal: RuleBroken | None


async def run(transactions: Transactions, args: CountText) -> CountedText:
    by_token = args.actor.token_id is not None

    def count(call: PrivilegedCall) -> CountedText:
        day = day_of(call.now)
        use = text_use.add(call.tx, args.actor.user_id if by_token else "", day, args.written_bytes)
        return CountedText(refusal_of_text(use, call.limits, day, by_token=by_token))

    return await transactions.write(args.actor.workspace_id, count)


OPERATION = ServerOperation(
    name="count_text",
    title="Count what was written",
    description="Add to what an account has written, and say whether it may write more.",
    input=CountText,
    output=CountedText,
    run=run,
)
