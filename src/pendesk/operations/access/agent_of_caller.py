"""The agents a person may change: their own, and for an admin those of everyone."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role
from pendesk.domain.agent import Agent
from pendesk.domain.errors import NotFound
from pendesk.ids import parse_id
from pendesk.operations.fields import Ident
from pendesk.operations.operation import Call, Output
from pendesk.store import agents

AgentId = Annotated[Ident, Meta(description="The agent's pid from list_agents.")]


class AgentView(Output):
    """tokens: how many of its tokens and grants work."""

    pid: str
    name: str
    user_id: str
    tokens: int


def find_agent_of_caller(call: Call, agent_id: str) -> Agent:
    pid = parse_id(agent_id)
    agent = agents.by_id(call.tx, pid) if pid else None
    if agent is None or (agent.user_id != call.actor.user_id and call.actor.role < Role.ADMIN):
        raise NotFound("agent", agent_id)
    return agent


def agent_view(call: Call, agent: Agent) -> AgentView:
    tokens = agents.working_tokens_of(call.tx, [agent.id])
    return AgentView(pid=agent.id, name=agent.name, user_id=agent.user_id, tokens=len(tokens))
