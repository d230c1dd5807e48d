"""One server process's worth of the dispatcher on PostgreSQL, in a process of its own.

Several of them start together: each says when it is ready and waits for a line before it begins.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import uvloop

from bench.load import WARM_CYCLES, Served, serve
from bench.seed import Shape
from pendesk.store.engine.postgres import PostgresStore

SAMPLE = 1_000
# Run by the Python of the checkout that is measured, which may be an older one.
WORKER = """
import runpy
from bench import load
load.WARM_CYCLES = {warm_cycles}
runpy.run_module("bench.worker", run_name="__main__")
"""


class Share(NamedTuple):
    """A process's part of the clients: `clients` of them, from number `first` on, of `of` in all."""

    url: str
    actions: int
    workspaces: int
    clients: int
    first: int
    of: int
    seconds: float


async def _work(share: Share) -> Served:
    store = PostgresStore(share.url, None, connections=share.clients)
    print("ready", flush=True)
    sys.stdin.readline()
    shape = Shape(share.actions, share.workspaces)
    served = await serve(store, shape, share.clients, share.seconds, share.first, share.of)
    await store.close()
    # A pipe holds 64 KB; a sample of the waits will do.
    return served._replace(latencies=served.latencies[:: 1 + len(served.latencies) // SAMPLE])


def together(
    url: str,
    shape: Shape,
    clients: int,
    processes: int,
    seconds: float,
    checkout: Path | None = None,
    warm_cycles: int = WARM_CYCLES,
) -> Served:
    """The load of so many clients, shared by so many processes; of another checkout of the program, if one is given."""
    clients_per_process = clients // processes
    shares = [
        Share(url, *shape, clients_per_process, n * clients_per_process, clients, seconds) for n in range(processes)
    ]
    python = str(checkout / ".venv/bin/python") if checkout else sys.executable
    command = [python, "-c", WORKER.format(warm_cycles=warm_cycles)]
    started = [
        subprocess.Popen(
            [*command, json.dumps(share)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=checkout
        )
        for share in shares
    ]
    for process in started:
        assert process.stdout is not None
        process.stdout.readline()
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    parts = [Served(*json.loads(process.communicate()[0])) for process in started]
    return Served(
        sum(part.operations for part in parts),
        max(part.seconds for part in parts),
        sum(part.cpu_seconds for part in parts),
        [wait for part in parts for wait in part.latencies],
    )


if __name__ == "__main__":
    print(json.dumps(uvloop.run(_work(Share(*json.loads(sys.argv[1]))))))
