"""Agent runs by their id. What cannot be seen is the same as what is not there."""

from pendesk.domain.errors import NotFound
from pendesk.domain.run import AgentRun
from pendesk.ids import parse_id
from pendesk.operations.actions.change_state import renew_hold
from pendesk.operations.operation import Call
from pendesk.store import actions, runs


def find_and_lock_agent_run(call: Call, run_id: str) -> AgentRun:
    pid = parse_id(run_id)
    if pid is not None:
        runs.lock(call.tx, pid)
    run = runs.by_id(call.tx, pid) if pid else None
    if run is None:
        raise NotFound("agent run", run_id)
    return run


def renew_hold_of_run(call: Call, run: AgentRun) -> None:
    """What is said about a run is a sign of life of who holds its task."""
    facts = actions.facts(call.tx, run.action_id) if run.action_id is not None else None
    if facts is not None:
        renew_hold(call, facts)
