"""The PostgreSQL server dies under load and comes back; the process that uses it lives on."""

import math
import os
import random
import signal
import time

import psycopg

from pendesk.store.engine import migrate
from pendesk.store.engine.postgres import PostgresStore
from tests.crash.child import STARTED, Child
from tests.crash.kills import CONNECTIONS, Tally, check_server
from tests.crash.ledger import Ledger
from tests.crash.load import World
from tests.postgres import PostgresCluster

HEALED_ANSWERS = 20
HEALED_WITHIN_S = 30.0


def postgres_restarts(cluster: PostgresCluster, restarts: int, chance: random.Random) -> Tally:
    url = cluster.create_database("restarts")
    migrate.migrate(None, url)
    ledger = Ledger(World.new())
    child = Child(ledger.world, lambda: PostgresStore(url, None, connections=CONNECTIONS), [], 1)
    faults: list[str] = []
    unknown: set[str] = set()

    def listen(seconds: float, enough: float = math.inf) -> bool:
        """True when so many calls are acknowledged, false when the time is over."""
        for told in child.heard(seconds):
            if told.said == "unknown":
                unknown.add(told.key)
            if told != STARTED:
                ledger.hear(told)
            if len(ledger.acknowledged) >= enough:
                return True
        return False

    try:
        for number in range(1, restarts + 1):
            listen(chance.uniform(0.3, 0.8))
            _break(cluster, url, number)
            enough = len(ledger.acknowledged) + HEALED_ANSWERS
            if not listen(HEALED_WITHIN_S, enough):
                faults.append(f"restart {number}: no {HEALED_ANSWERS} answers within {HEALED_WITHIN_S} s")
            faults += [f"restart {number}: {fault}" for fault in _check_once_up(url, ledger)]
    finally:
        for told in child.kill():
            ledger.hear(told)
    faults += check_server(url, ledger, alone=True)
    away = sum(told.answer["code"] == "unavailable" for told in ledger.refused.values())
    notes = f"{away} calls refused as unsaved, {len(unknown)} as not known and repeated by their key"
    return Tally("PostgreSQL killed and restarted", restarts, len(ledger.acknowledged), notes, faults)


def _check_once_up(url: str, ledger: Ledger) -> list[str]:
    """What was answered before it broke can be enough while the server still ends its connections to recover."""
    give_up_at = time.monotonic() + HEALED_WITHIN_S
    while True:
        try:
            return check_server(url, ledger, alone=False)
        except psycopg.OperationalError:
            if time.monotonic() > give_up_at:
                raise
            time.sleep(0.1)


def _break(cluster: PostgresCluster, url: str, number: int) -> None:
    """In turn: the whole server by SIGKILL, by its immediate shutdown, and one of its processes by SIGKILL."""
    if number % 3 == 0:
        with psycopg.connect(url, autocommit=True) as connection:
            sql = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            victims = connection.execute(sql).fetchall()
            os.kill(victims[0][0], signal.SIGKILL)
        return
    cluster.kill(signal.SIGKILL if number % 3 == 1 else signal.SIGQUIT)
    cluster.start()
