"""What a client passes to a hook on stdin: a JSON object. Elsewhere stdin may be anything, also open and silent."""

import json
import os
import sys
import threading
from typing import Any

DEADLINE_S = 0.5
MAX_BYTES = 100_000


def read_hook_input(deadline_s: float = DEADLINE_S) -> dict[str, Any]:
    """Empty if there is none within the deadline."""
    try:
        if sys.stdin.isatty():
            return {}
        descriptor = sys.stdin.fileno()
    except (AttributeError, OSError, ValueError):  # there is no stdin, or it is no file
        return {}
    hook_input: dict[str, Any] = {}
    # A thread, as Windows cannot wait for a pipe; os.read, as a lock of sys.stdin would disturb the end of the program.
    reader = threading.Thread(target=_read_object_into, args=(descriptor, hook_input), daemon=True)
    reader.start()
    reader.join(deadline_s)
    return dict(hook_input)


def _read_object_into(descriptor: int, hook_input: dict[str, Any]) -> None:
    """A client need not close its end: the object is complete when it can be decoded."""
    content = b""
    while len(content) < MAX_BYTES:
        try:
            chunk = os.read(descriptor, 65536)
        except OSError:
            return
        content += chunk
        if not chunk or content.rstrip().endswith(b"}"):
            try:
                value = json.loads(content)
            except (ValueError, RecursionError):
                value = None
            if isinstance(value, dict):
                hook_input.update(value)
            if value is not None or not chunk:
                return
