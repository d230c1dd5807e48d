"""find_name_of_first_to_sign_in: what whoever signs in first is called, until they give a name."""

from pendesk.domain import token
from pendesk.operations.operation import Answer, Kind, PrivilegedCall, SecretOperation
from pendesk.store import sign_in


def find(call: PrivilegedCall, code: str) -> Answer[str | None]:
    return Answer(sign_in.name_of_first_to_sign_in(call.tx, token.hash_secret(code)))


OPERATION: SecretOperation[str, None, str | None] = SecretOperation(
    name="find_name_of_first_to_sign_in",
    title="Find the name of the first to sign in",
    description="Of the person behind a sign-in link's code; None once somebody has signed in, or where it is no good.",
    input=str,
    output=str | None,
    kind=Kind.READ,
    check=None,
    find=find,
    verify=None,
    run=None,
)
