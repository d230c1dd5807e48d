"""check_credentials: which tokens and sessions still speak for a member, and in which role: one read for all."""

from typing import NamedTuple

from pendesk.operations.operation import PrivilegedCall, ServerOperation, Transactions
from pendesk.store import sign_in, tokens


class Hashes(NamedTuple):
    tokens: list[str]
    sessions: list[str]


class Roles(NamedTuple):
    """By hash; one that is missing is no longer good."""

    tokens: dict[str, str]
    sessions: dict[str, str]


async def run(transactions: Transactions, hashes: Hashes) -> Roles:
    def read(call: PrivilegedCall) -> Roles:
        return Roles(
            tokens.roles_by_token_hash(call.tx, hashes.tokens) if hashes.tokens else {},
            sign_in.roles_by_session_hash(call.tx, hashes.sessions) if hashes.sessions else {},
        )

    return await transactions.read("", read)


OPERATION = ServerOperation(
    name="check_credentials",
    title="Check credentials",
    description="The role behind each token and session that is still good; for streams that stay open.",
    input=Hashes,
    output=Roles,
    run=run,
)
