"""How the interpreter runs a server: what stands still is not collected, and threads give way soon."""

import gc
import sys

# Nearly all that a call leaves is freed by its reference counts. With the usual 700, collections took 9% of the
# processor under 1,000 agents, and a full one walked everything for up to 100 ms: the longest calls.
COLLECT_AFTER_OBJECTS = 20_000
# A thread that reads a large page would else keep the event loop waiting for 5 ms, at each statement of each call.
GIVE_WAY_AFTER_S = 0.0005


def settle_interpreter() -> None:
    """When all is loaded: what is there now is there until the end."""
    sys.setswitchinterval(GIVE_WAY_AFTER_S)
    gc.collect()
    gc.freeze()
    _, *older = gc.get_threshold()
    gc.set_threshold(COLLECT_AFTER_OBJECTS, *older)
