"""The process that renders Markdown. What a text costs is taken from this process's own time and memory.

It takes a page's texts from standard input and gives their HTML on standard output, and ends with its input: it
cannot outlive the server. It has no settings, no secrets and no database.
"""

import signal
import sys
import time
import traceback
from contextlib import suppress

from pendesk.domain import limits
from pendesk.transports.markdown.colours import colour_spans
from pendesk.transports.markdown.cpu_limit import TooCostly, cpu_limit
from pendesk.transports.markdown.job import RenderJob, RenderResult, receive_message, send_message
from pendesk.transports.markdown.render import TooLong, render

FENCES = ("```", "~~~")


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends our input
    _limit_memory()
    with suppress(EOFError, BrokenPipeError):
        while True:
            jobs = receive_message(sys.stdin.buffer, list[RenderJob])
            _limit_cpu_time()
            send_message(sys.stdout.buffer, render_texts(jobs))


def render_texts(jobs: list[RenderJob]) -> list[RenderResult]:
    """When the page's time is used up, the texts that are left wait for the next time it is opened."""
    end = time.process_time() + limits.MARKDOWN_PAGE_CPU_S
    return [render_text(job) if time.process_time() < end else RenderResult(None, final=False) for job in jobs]


def render_text(job: RenderJob) -> RenderResult:
    """With colours, without them, or as it was written: the first that does not cost too much."""
    if job.kind == "code":
        return _colour_code(job)
    has_code = any(fence in job.text for fence in FENCES)
    for colours in (True, False) if has_code else (False,):
        try:
            with cpu_limit(limits.MARKDOWN_TEXT_CPU_S):
                return RenderResult(render(job, with_highlighting=colours))
        except (TooCostly, MemoryError, RecursionError):
            continue
        except TooLong:
            break
        except Exception:
            return RenderResult(None, fault=traceback.format_exc())
    return RenderResult(None)


def _colour_code(job: RenderJob) -> RenderResult:
    """What no lexer of ours can read in its time stays without colours, for ever: it would take as long again."""
    try:
        with cpu_limit(limits.CODE_CPU_S):
            return RenderResult(colour_spans(job.text, job.language))
    except (TooCostly, MemoryError, RecursionError):
        return RenderResult(None)
    except Exception:
        return RenderResult(None, fault=traceback.format_exc())


def _limit_memory() -> None:
    with suppress(ImportError):  # Windows has no limits
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limits.MARKDOWN_MEMORY_BYTES, limits.MARKDOWN_MEMORY_BYTES))


def _limit_cpu_time() -> None:
    """What even a signal does not stop ends with this process; the server then shows the texts as written."""
    with suppress(ImportError):
        import resource

        most = int(time.process_time() + limits.MARKDOWN_PAGE_CPU_S * 2) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))


if __name__ == "__main__":
    main()
