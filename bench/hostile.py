"""The worst input that every parser and renderer takes: CPU, memory, and how the cost grows when the input doubles.

Each case runs in a process of its own, with a cap on both. Cases are listed in `bench/inputs/`, a file for each part of
the server: a new one is a line there.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from bench.figures import show
from bench.inputs import CASES
from bench.inputs.case import Case
from pendesk.domain.errors import Refusal

CPU_S = 5
MEMORY_BYTES = 3 * 1024**3
MIB = 1024 * 1024
ROUNDS = 3
LEAST = 16  # of any size: what is loaded or built at the first call is not of the input


class Cost(NamedTuple):
    cpu_ms: float
    added_mib: float
    answer: str


def main(rounds: int = ROUNDS) -> None:
    head = ("parser", "worst input", "size", "CPU ms", "added MB", "answer", "twice the input")
    show("Hostile input", head, [_row(case, rounds) for case in CASES])


def _row(case: Case, rounds: int) -> list[str]:
    size = case.size
    cost = _measured(case, size, rounds)
    cpu_text = f"{cost.cpu_ms:,.1f}" if cost else f"over {CPU_S} s"
    if cost is None:
        size, cost = _within_the_cap(case, rounds)
        cpu_text += f" ({size:,}: {cost.cpu_ms:,.0f})" if cost else ""
    half = _measured(case, size // 2, rounds) if cost else None
    growth = f"{cost.cpu_ms / max(half.cpu_ms, 0.001):.1f}" if cost and half else "-"
    memory_and_answer = [f"{cost.added_mib:,.0f}", cost.answer] if cost else ["-", "-"]
    print(f"{case.parser}, {case.description}: {cpu_text} ms, {growth}", file=sys.stderr, flush=True)
    return [case.parser, case.description, f"{case.size:,}", cpu_text, *memory_and_answer, growth]


def _within_the_cap(case: Case, rounds: int) -> tuple[int, Cost | None]:
    """The largest part of the input that ends at all, in steps of four from small ones up."""
    size, largest, cost = 4 * LEAST, 0, None
    while size < case.size:
        step = _measured(case, size, rounds)
        if step is None:
            break
        size, largest, cost = 4 * size, size, step
    return largest, cost


def _measured(case: Case, size: int, rounds: int) -> Cost | None:
    """None where the cap ended it."""
    command = [sys.executable, "-m", "bench.hostile", str(CASES.index(case)), str(size), str(rounds)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode > 0:
        raise RuntimeError(f"{case.parser}, {case.description}: {ran.stderr[-2000:]}")
    return Cost(*json.loads(ran.stdout)) if ran.returncode == 0 else None


def _child(index: int, size: int, rounds: int) -> None:
    case = CASES[index]
    answer_of(case.prepare(LEAST))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    costs = [_cost(case.prepare(size)) for _ in range(rounds)]
    print(json.dumps(min(costs)))


def _cost(work: Callable[[], Any]) -> Cost:
    began = time.process_time()
    resource.setrlimit(resource.RLIMIT_CPU, (int(began) + CPU_S + 1, resource.RLIM_INFINITY))
    _forget_peak()
    before = _resident("VmRSS")
    answer = answer_of(work)
    return Cost((time.process_time() - began) * 1000, (_resident("VmHWM") - before) / MIB, answer)


def answer_of(work: Callable[[], Any]) -> str:
    """Its length, or how it was refused; a fault is told as one."""
    try:
        answer = work()
    except Refusal as refusal:
        return f"refused: {refusal.code}"
    except Exception as error:
        return f"FAULT: {type(error).__name__}"
    return f"{len(answer):,}" if hasattr(answer, "__len__") else type(answer).__name__


def _forget_peak() -> None:
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def _resident(name: str) -> int:
    with open("/proc/self/status") as file:
        line = next(line for line in file if line.startswith(name))
    return int(line.split()[1]) * 1024


if __name__ == "__main__":
    _child(*map(int, sys.argv[1:]))
