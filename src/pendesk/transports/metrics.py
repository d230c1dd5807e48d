"""What the server counts, and the page that tells it (Prometheus text format)."""

import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from pendesk.domain.access import Actor
from pendesk.domain.errors import Refusal
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.operation import Output


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
        told = ",".join(f'{label}="{each}"' for label, each in zip(labels, key, strict=True))
        lines.append(f"{name}{{{told}}} {value:.9g}" if told else f"{name} {value:.9g}")
    return lines


class MeteredDispatcher(Dispatcher):
    """The dispatcher, with a count and a clock on every operation."""

    metrics: Metrics

    async def call(self, actor: Actor, name: str, arguments: bytes | Mapping[str, Any]) -> Output:
        started = time.perf_counter()
        outcome = "fault"
        try:
            answer = await super().call(actor, name, arguments)
            outcome = "ok"
            return answer
        except Refusal as refusal:
            outcome = refusal.code
            raise
        finally:
            key = (name if name in self.operations else "unknown", outcome)
            self.metrics.operations[key] += 1
            self.metrics.operation_seconds[key] += time.perf_counter() - started
