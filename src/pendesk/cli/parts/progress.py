"""A progress bar in a terminal, for work that takes longer than a second."""

import itertools
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import click

SHOW_AFTER_S = 1.0
REDRAW_EVERY_S = 0.1


class Progress:
    """Updated by the work. While the total is unknown, the bar only shows that something happens."""

    def __init__(self, total: int | None) -> None:
        self.done = 0
        self.total = total

    def __call__(self, done: int, total: int | None = None) -> None:
        self.done, self.total = done, total or self.total


@contextmanager
def show_progress(label: str, total: int | None) -> Iterator[Progress]:
    """Drawn by its own thread: the work may not report for a long time."""
    progress, over = Progress(total), threading.Event()
    drawing = threading.Thread(target=_draw_bar, args=(label, progress, over), daemon=True)
    drawing.start()
    try:
        yield progress
    finally:
        over.set()
        drawing.join()


def _draw_bar(label: str, progress: Progress, finished: threading.Event) -> None:
    if finished.wait(SHOW_AFTER_S):
        return
    bar = click.progressbar(itertools.count(), label=label, file=sys.stderr)
    more = True
    while more:
        more = not finished.wait(REDRAW_EVERY_S)
        bar.length = progress.total
        bar.make_step(progress.done - bar.pos if progress.total else 1)
        bar.render_progress()
    bar.render_finish()
