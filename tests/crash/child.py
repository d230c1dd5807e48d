"""A server process to be killed: forked after the imports are done, heard over a pipe."""

import asyncio
import logging
import os
import random
import select
import signal
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator

import msgspec

from pendesk.operations.dispatch import Store
from tests.crash.load import Load, Told, World, seed

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Told).decode

STARTED = Told("started", "", 0, "", {})


class Child:
    """Runs the load on a store of its own until it is killed. `open_store` is called in the child."""

    def __init__(self, world: World, open_store: Callable[[], Store], repeats: list[Told], number: int) -> None:
        self._pipe, out = os.pipe()
        self._rest = b""
        self._told: deque[Told] = deque()
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._pipe)
            _live(world, open_store, repeats, random.Random(number), out)  # never returns
        os.close(out)

    def heard(self, seconds: float) -> Iterator[Told]:
        """What it tells in the next seconds; ends early when it dies. Who stops listening misses nothing."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            if not self._told and select.select([self._pipe], [], [], left)[0] and not self._listen():
                return
            if self._told:
                yield self._told.popleft()

    def kill(self) -> list[Told]:
        """kill -9; then what was on its way is heard too, for it left after its answer."""
        os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        while self._listen():
            pass
        os.close(self._pipe)
        if not os.WIFSIGNALED(status):
            raise RuntimeError(f"the server ended by itself, with status {status}")
        return [*self._told]

    def _listen(self) -> bool:
        data = os.read(self._pipe, 1 << 16)
        *lines, self._rest = (self._rest + data).split(b"\n")
        self._told += [_decode(line) for line in lines]
        return bool(data)


def _live(world: World, open_store: Callable[[], Store], repeats: list[Told], chance: random.Random, out: int) -> None:
    def tell(told: Told) -> None:
        os.write(out, _encode(told) + b"\n")

    logging.disable(logging.CRITICAL)  # the pool tells of every connection it loses

    async def main() -> None:
        store = open_store()
        await seed(store, world)
        tell(STARTED)
        await Load(store, world, tell, chance).run(repeats)

    try:
        asyncio.run(main())
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(1)
