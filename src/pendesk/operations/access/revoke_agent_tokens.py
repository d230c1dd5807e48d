"""revoke_agent_tokens: shut an agent out, from its next request on."""

from pendesk.domain.access import Role, Scope
from pendesk.operations.access import revoke_token
from pendesk.operations.access.agent_of_caller import AgentId, AgentView, agent_view, find_agent_of_caller
from pendesk.operations.oauth.issue import record_grant_revoked
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import agents, grants, tokens


class RevokeAgentTokens(Input):
    agent_id: AgentId


def run(call: Call, args: RevokeAgentTokens) -> AgentView:
    agent = find_agent_of_caller(call, args.agent_id)
    for credential in agents.working_tokens_of(call.tx, [agent.id]):
        if credential.kind == "token":
            _revoke_token(call, credential.token_id)
        else:
            _revoke_grant(call, credential.token_id)
    return agent_view(call, agent)


def _revoke_token(call: Call, token_id: str) -> None:
    token = tokens.by_id(call.tx, token_id)
    if token is not None:
        revoke_token.revoke(call, token)


def _revoke_grant(call: Call, grant_id: str) -> None:
    grants.lock_out(call.tx, grant_id)
    grant = grants.by_id(call.tx, grant_id)
    if grant is not None and grant.revoked_at is None:
        grants.revoke(call.tx, grant.id)
        record_grant_revoked(call, grant, "a person ended it")


OPERATION = Operation(
    name="revoke_agent_tokens",
    title="Revoke an agent's tokens",
    description=(
        "Shut an agent of yours out: every token and grant that it has called with is revoked, also for other agents "
        "that share it. Its claims stay until they expire or a person releases them. Admins may do it for any agent. "
        "Refused: 404 no such agent of yours."
    ),
    input=RevokeAgentTokens,
    output=AgentView,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
