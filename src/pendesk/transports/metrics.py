"""What the server counts and times, for Prometheus. Each service has a registry of its own: nothing is global."""

import time
from collections.abc import Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, generate_latest

from pendesk.domain.access import Actor
from pendesk.domain.errors import Refusal
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.operation import A, M, Output, R, SecretOperation, ServerOperation

# From a read on SQLite to a call that waits for another server.
DURATION_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

GAUGES = {
    "live_claims": "Claims that are held now",
    "open_streams": "Readers of the live feed",
    "write_batches": "SQLite: commits since the start; each holds the writes that were waiting",
    "batched_writes": "SQLite: writes in those commits",
    "queued_writes": "SQLite: writes that wait for the next commit",
    "pool_size": "PostgreSQL: connections",
    "pool_available": "PostgreSQL: connections that nobody uses now",
    "pool_requests_waiting": "PostgreSQL: operations that wait for a connection",
    "pool_requests_queued": "PostgreSQL: operations that had to wait for a connection since the start",
    "pool_connections_errors": "PostgreSQL: connections that could not be opened since the start",
}

# The time at which each series began would double the page, and is of no use where a restart begins all of them.
disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "pendesk_requests", "HTTP requests", ("route", "method", "status"), registry=self.registry
        )
        self._request_seconds = Histogram(
            "pendesk_request_duration_seconds",
            "Time to answer an HTTP request",
            ("route", "method"),
            registry=self.registry,
            buckets=DURATION_BUCKETS_S,
        )
        self._operations = Counter(
            "pendesk_operations",
            "Calls of operations; the outcome is ok, fault, or the code of a refusal",
            ("operation", "outcome"),
            registry=self.registry,
        )
        self._operation_seconds = Histogram(
            "pendesk_operation_duration_seconds",
            "Time of an operation, from its call to its answer",
            ("operation",),
            registry=self.registry,
            buckets=DURATION_BUCKETS_S,
        )
        self._gauges: dict[str, Gauge] = {}  # those of the other engine would say 0
        # Looking a series up by its labels costs more than counting; each is looked up once.
        self._request_series: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        self._operation_series: dict[tuple[str, str], tuple[Counter, Histogram]] = {}

    def record_request(self, route: str, method: str, status: int, seconds: float) -> None:
        key = (route, method, status)
        series = self._request_series.get(key)
        if series is None:
            series = self._requests.labels(*key), self._request_seconds.labels(route, method)
            self._request_series[key] = series
        series[0].inc()
        series[1].observe(seconds)

    def record_operation(self, operation: str, outcome: str, seconds: float) -> None:
        key = (operation, outcome)
        series = self._operation_series.get(key)
        if series is None:
            series = self._operations.labels(*key), self._operation_seconds.labels(operation)
            self._operation_series[key] = series
        series[0].inc()
        series[1].observe(seconds)

    def render_prometheus_text(self, gauges: Mapping[str, float]) -> bytes:
        """All series in the text format, with the values that `gauges` have at this moment."""
        for name, value in gauges.items():
            if name not in self._gauges:
                self._gauges[name] = Gauge(f"pendesk_{name}", GAUGES[name], registry=self.registry)
            self._gauges[name].set(value)
        return generate_latest(self.registry)


class MeteredDispatcher(Dispatcher):
    """The dispatcher, with a count and a clock on every operation."""

    metrics: Metrics

    async def call(self, actor: Actor, operation_name: str, arguments: bytes | Mapping[str, Any]) -> Output:
        with Measured(self.metrics, operation_name if operation_name in self.operations else "unknown"):
            return await super().call(actor, operation_name, arguments)

    async def call_by_secret(self, operation: SecretOperation[A, M, R], args: A) -> R:
        with Measured(self.metrics, operation.name):
            return await super().call_by_secret(operation, args)

    async def call_as_server(self, operation: ServerOperation[A, R], args: A) -> R:
        with Measured(self.metrics, operation.name):
            return await super().call_as_server(operation, args)


class Measured:
    """One operation under way. A class, because a generator would cost every call twice as much."""

    __slots__ = ("_metrics", "_name", "_started")

    def __init__(self, metrics: Metrics, name: str) -> None:
        self._metrics = metrics
        self._name = name

    def __enter__(self) -> None:
        self._started = time.perf_counter()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _trace: object) -> None:
        outcome = "ok" if error is None else error.code if isinstance(error, Refusal) else "fault"
        self._metrics.record_operation(self._name, outcome, time.perf_counter() - self._started)
