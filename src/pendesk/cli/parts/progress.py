"""How far long work is: a bar on a terminal, once the work takes longer than a second."""

import itertools
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import click

SHOWN_AFTER_S = 1.0
DRAWN_EVERY_S = 0.1


class Progress:
    """Told by the work. As long as nobody says how much there is, the bar only shows that something happens."""

    def __init__(self, whole: int | None) -> None:
        self.done = 0
        self.whole = whole

    def __call__(self, done: int, whole: int | None = None) -> None:
        self.done, self.whole = done, whole or self.whole


@contextmanager
def shown(label: str, whole: int | None) -> Iterator[Progress]:
    """Drawn by a thread of its own: the work may be silent for long."""
    progress, over = Progress(whole), threading.Event()
    drawing = threading.Thread(target=_draw, args=(label, progress, over), daemon=True)
    drawing.start()
    try:
        yield progress
    finally:
        over.set()
        drawing.join()


def _draw(label: str, progress: Progress, over: threading.Event) -> None:
    if over.wait(SHOWN_AFTER_S):
        return
    bar = click.progressbar(itertools.count(), label=label, file=sys.stderr)
    more = True
    while more:
        more = not over.wait(DRAWN_EVERY_S)
        bar.length = progress.whole
        bar.make_step(progress.done - bar.pos if progress.whole else 1)
        bar.render_progress()
    bar.render_finish()
