"""What the server counts, and the page that tells it (Prometheus text format)."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pendesk.domain.access import Actor
from pendesk.domain.errors import Refusal
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.operation import A, M, Output, R, SecretOperation, ServerOperation


class Metrics:
    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.request_seconds: defaultdict[tuple[str], float] = defaultdict(float)
        self.operations: Counter[tuple[str, str]] = Counter()
        self.operation_seconds: defaultdict[tuple[str, str], float] = defaultdict(float)

    def text(self, gauges: Mapping[str, float]) -> str:
        lines = [
            *_series("pendesk_requests_total", "counter", ("route", "method", "status"), self.requests),
            *_series("pendesk_request_seconds_total", "counter", ("route",), self.request_seconds),
            *_series("pendesk_operations_total", "counter", ("operation", "outcome"), self.operations),
            *_series("pendesk_operation_seconds_total", "counter", ("operation", "outcome"), self.operation_seconds),
        ]
        for name, value in gauges.items():
            lines += _series(f"pendesk_{name}", "gauge", (), {(): value})
        return "\n".join(lines) + "\n"


def _series(name: str, kind: str, labels: tuple[str, ...], values: Mapping[Any, float]) -> list[str]:
    lines = [f"# TYPE {name} {kind}"]
    for key, value in values.items():
        # Label values are names out of our own code and numbers: nothing in them needs escaping.
        pairs = ",".join(f'{label}="{part}"' for label, part in zip(labels, key, strict=True))
        lines.append(f"{name}{{{pairs}}} {value:.9g}" if pairs else f"{name} {value:.9g}")
    return lines


class MeteredDispatcher(Dispatcher):
    """The dispatcher, with a count and a clock on every operation."""

    metrics: Metrics

    async def call(self, actor: Actor, name: str, arguments: bytes | Mapping[str, Any]) -> Output:
        with self._measured(name if name in self.operations else "unknown"):
            return await super().call(actor, name, arguments)

    async def call_by_secret(self, operation: SecretOperation[A, M, R], args: A) -> R:
        with self._measured(operation.name):
            return await super().call_by_secret(operation, args)

    async def call_as_server(self, operation: ServerOperation[A, R], args: A) -> R:
        with self._measured(operation.name):
            return await super().call_as_server(operation, args)

    @contextmanager
    def _measured(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        outcome = "fault"
        try:
            yield
            outcome = "ok"
        except Refusal as refusal:
            outcome = refusal.code
            raise
        finally:
            self.metrics.operations[name, outcome] += 1
            self.metrics.operation_seconds[name, outcome] += time.perf_counter() - started
