"""Agent runs by their id. What cannot be seen is the same as what is not there."""

from pendesk.domain.errors import NotFound
from pendesk.domain.run import AgentRun
from pendesk.ids import parse_id
from pendesk.operations.operation import Call
from pendesk.store import runs


def find_and_lock_agent_run(call: Call, run_id: str) -> AgentRun:
    pid = parse_id(run_id)
    if pid is not None:
        runs.lock(call.tx, pid)
    run = runs.by_id(call.tx, pid) if pid else None
    if run is None:
        raise NotFound("agent run", run_id)
    return run
