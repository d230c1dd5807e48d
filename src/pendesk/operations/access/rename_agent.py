"""rename_agent: what an agent is called from now on, wherever it is named."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import RuleBroken
from pendesk.domain.event import Event
from pendesk.operations.access.agent_of_caller import AgentId, AgentView, agent_view, find_agent_of_caller
from pendesk.operations.fields import Name
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import agents


class RenameAgent(Input):
    agent_id: AgentId
    name: Name


def run(call: Call, args: RenameAgent) -> AgentView:
    agent = find_agent_of_caller(call, args.agent_id)
    agents.lock(call.tx, agent.id)
    if args.name != agent.name:
        if args.name in agents.names_of_user(call.tx, agent.user_id):
            raise RuleBroken(
                f"Another agent is called {args.name} already. Choose another name, so that the two can be told apart.",
                code="name_taken",
            )
        agents.rename(call.tx, agent.id, args.name)
        call.record(Event("agent.renamed", agent.id))
    return agent_view(call, agent._replace(name=args.name))


OPERATION = Operation(
    name="rename_agent",
    title="Rename an agent",
    description=(
        "Give an agent of yours another name; admins any agent. It is shown at once, also beside what it did before. "
        "Refused: 404 no such agent of yours, 422 another of your agents has that name."
    ),
    input=RenameAgent,
    output=AgentView,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
