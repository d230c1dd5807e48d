"""The same statements by pgbench: PostgreSQL's own load generator, in C, is what the dispatcher is measured against.

One cycle of the load is recorded from the real store, and its values are replaced by what pgbench computes for each
of its clients: action, agent, claim. A script is one cycle: four transactions, as the dispatcher runs them.
"""

import os
import re
import subprocess
from pathlib import Path
from typing import Any
from unittest import mock

from bench import seed
from bench.load import CYCLE, cycle, open_dispatcher, works
from bench.seed import ACTION_CRITERIA, AGENTS, PROJECT_ACTIONS, SPEC_ACTIONS, Shape
from pendesk.store import claims
from pendesk.store.engine.dialect import to_postgres_sql_and_param_names
from pendesk.store.engine.postgres import PostgresStore
from pendesk.store.engine.postgres_link import PipelinedConnection, SentStatement
from tests.postgres import PostgresCluster

Statement = tuple[str, dict[str, Any]]

_IDENT = re.compile(r"(\d{8})-0000-7(\d{3})-8000-0{12}")
_TPS = re.compile(r"^tps = ([0-9.]+)", re.MULTILINE)
CLAIM = 99
# Beyond the fences that the actions have already.
FIRST_ROUND = 1_000

# The numbers of load.works, in pgbench's language; `turn` and `round` live on from one cycle to the next.
NUMBERS = """
\\if :turn < 0
\\set turn :client_id / {workspaces}
\\endif
\\set n{WORKSPACE} :client_id % {workspaces}
\\set count :turn / {agents} % {per_agent}
\\set spec :turn % {agents} + {agents} * (:count / {spec_actions})
\\set action :spec * {spec_actions} + :count % {spec_actions}
\\set n{ACTION} :n{WORKSPACE} * {actions} + :action
\\set n{PROJECT} :n{WORKSPACE} * {projects} + :action / {project_actions}
\\set n{SPEC} :n{WORKSPACE} * {actions} / {spec_actions} + :spec
\\set n{USER} :n{WORKSPACE} * ({agents} + 1) + 1 + :n{SPEC} % {agents}
\\set n{CLAIM} :round * 1000 + :client_id
\\set n{CRITERION}_0 :n{ACTION} * {criteria}
\\set n{CRITERION}_1 :n{ACTION} * {criteria} + 1
\\set n{CRITERION}_2 :n{ACTION} * {criteria} + 2
\\set round :round + 1
\\set turn :turn + {lanes}
"""


async def record(url: str, shape: Shape) -> list[Statement]:
    """The statements of one cycle, on the first action of the first client."""
    store = PostgresStore(url, None, connections=1)
    statements: list[Statement] = []
    send = PipelinedConnection.send

    def keep(link: PipelinedConnection, sql: str, params: dict[str, Any]) -> SentStatement:
        statements.append((sql, dict(params)))
        return send(link, sql, params)

    with mock.patch.object(PipelinedConnection, "send", keep):
        await cycle(open_dispatcher(store), next(works(shape, 0, 1)), [])
    await store.close()
    assert [sql for sql, _ in statements].count("COMMIT") == len(CYCLE)
    return statements


def script(statements: list[Statement], shape: Shape, clients: int, *, pipeline: bool = False) -> str:
    claim_id = next(params["id"] for sql, params in statements if sql == claims.INSERT)
    lines = []
    for sql, params in statements:
        text, names = to_postgres_sql_and_param_names(sql)
        values = [_expression(name, params[name], claim_id) for name in names]
        for number in range(len(values), 0, -1):
            text = text.replace(f"${number}", values[number - 1])
        if pipeline and sql == "BEGIN":
            lines.append("\\startpipeline")
        lines.append(text.strip() + ";")
        if pipeline and sql == "COMMIT":
            lines.append("\\endpipeline")
    return _numbers(shape, clients) + "\n".join(lines) + "\n"


def _numbers(shape: Shape, clients: int) -> str:
    return NUMBERS.format(
        workspaces=shape.workspaces,
        agents=AGENTS,
        per_agent=max(1, shape.actions_per_workspace // (AGENTS * SPEC_ACTIONS)) * SPEC_ACTIONS,
        spec_actions=SPEC_ACTIONS,
        actions=shape.actions_per_workspace,
        projects=-(-shape.actions_per_workspace // PROJECT_ACTIONS),
        project_actions=PROJECT_ACTIONS,
        criteria=ACTION_CRITERIA,
        lanes=max(1, clients // shape.workspaces),
        WORKSPACE=seed.WORKSPACE,
        ACTION=seed.ACTION,
        PROJECT=seed.PROJECT,
        SPEC=seed.SPEC,
        USER=seed.USER,
        CRITERION=seed.CRITERION,
        CLAIM=CLAIM,
    )


def _expression(name: str, value: Any, claim_id: str) -> str:
    if value is None:
        return "NULL"
    if name == "fence":
        return ":round"
    if isinstance(value, int):
        return str(value)
    parts, end = [], 0
    text = value.replace(claim_id, seed.ident(CLAIM, 0))
    for match in _IDENT.finditer(text):
        parts.append(_literal(text[end : match.start()]))
        parts.append(f"lpad(:{_variable(match)}, 8, '0') || {_literal(match[0][8:])}")
        end = match.end()
    parts.append(_literal(text[end:]))
    return "(" + " || ".join(part for part in parts if part != "E''" or len(parts) == 1) + ")"


def _variable(match: "re.Match[str]") -> str:
    kind = int(match[2], 16)
    if kind in (seed.PLAN, seed.BUILD):
        kind = seed.SPEC  # a spec's plan and build have its number
    return f"n{kind}_{int(match[1]) % ACTION_CRITERIA}" if kind == seed.CRITERION else f"n{kind}"


def _literal(text: str) -> str:
    # A colon would begin a variable of pgbench's.
    return "E'" + text.replace("\\", "\\\\").replace("'", "''").replace(":", "\\x3a") + "'"


def run(cluster: PostgresCluster, url: str, text: str, clients: int, seconds: float) -> float:
    """Operations per second of a script: a cycle is four."""
    file = Path(cluster.directory) / "cycle.sql"
    file.write_text(text)
    options = ["-n", "-M", "prepared", "-c", str(clients), "-j", "2", "-T", f"{seconds:.0f}"]
    options += ["-D", "turn=-1", "-D", f"round={FIRST_ROUND}", "-f", str(file)]
    # As the dispatcher's connections are set.
    settings = os.environ | {"PGOPTIONS": "-c plan_cache_mode=force_generic_plan"}
    command = [cluster.bin("pgbench"), *options, url]
    result = subprocess.run(command, capture_output=True, text=True, env=settings)
    match = _TPS.search(result.stdout)
    if result.returncode != 0 or match is None:
        raise RuntimeError(f"pgbench failed:\n{result.stdout}{result.stderr}")
    return float(match[1]) * len(CYCLE)
