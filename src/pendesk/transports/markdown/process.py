"""The Markdown process as the server sees it: started when it is needed, ended when it does not answer."""

import os
import subprocess
import sys
import threading
from contextlib import suppress

from pendesk.domain.limits import MARKDOWN_ANSWER_S
from pendesk.transports.markdown.job import RenderJob, RenderResult, receive_message, send_message

# -P: a file in the folder where the server was started must not be taken for a library.
COMMAND = [sys.executable, "-P", "-m", "pendesk.transports.markdown.worker"]
# What Python itself needs. The rest may hold secrets, and rendering needs none.
VARIABLES = ("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "SYSTEMROOT")


class NoAnswer(Exception):
    """The process ended, or was ended, before it answered."""


class CannotStart(Exception):
    """The machine has no room for another process now."""


class MarkdownProcess:
    """For one thread, but for `kill`."""

    def __init__(self, command: list[str] = COMMAND) -> None:
        self._command = command
        self._running: subprocess.Popen[bytes] | None = None

    def render(self, jobs: list[RenderJob]) -> list[RenderResult]:
        """Raises CannotStart or NoAnswer; the next call then tries to start another process."""
        if self._running is not None and self._running.poll() is not None:
            self.kill_and_wait()  # ended while it had nothing to do: no text is to blame
        process = self._running = self._running or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        watchdog = threading.Timer(MARKDOWN_ANSWER_S, process.kill)
        watchdog.start()
        try:
            send_message(process.stdin, jobs)
            return receive_message(process.stdout, list[RenderResult])
        except (OSError, EOFError) as error:
            self.kill_and_wait()
            raise NoAnswer from error
        finally:
            watchdog.cancel()

    def kill(self) -> None:
        """From any thread: what is under way gets no answer."""
        if self._running is not None:
            self._running.kill()

    def kill_and_wait(self) -> None:
        self.kill()
        if self._running is not None:
            process, self._running = self._running, None
            with suppress(OSError), process:  # closes its ends and waits; what was not sent is lost
                pass

    def _start(self) -> subprocess.Popen[bytes]:
        environ = {name: os.environ[name] for name in VARIABLES if name in os.environ}
        try:
            return subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ)  # noqa: S603
        except OSError as error:
            raise CannotStart(error) from error
