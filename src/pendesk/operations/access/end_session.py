"""end_session: the browser that signs out ends its own session."""

from pendesk.domain import token
from pendesk.operations.operation import Kind, PrivilegedCall, SecretOperation
from pendesk.store import sign_in


def run(call: PrivilegedCall, secret: str, _match: None) -> None:
    sign_in.end_session(call.tx, token.hash_secret(secret))


OPERATION: SecretOperation[str, None, None] = SecretOperation(
    name="end_session",
    title="Sign out",
    description="End the session of this secret. An unknown one is no error.",
    input=str,
    output=None,
    kind=Kind.WRITE,
    check=None,
    find=None,
    verify=None,
    run=run,
)
