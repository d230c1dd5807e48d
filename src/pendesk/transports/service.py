"""What a running server has at hand; every route and middleware gets it from here."""

from typing import NamedTuple

from pendesk.feed.feed import Feed
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.operation import Files, Installation
from pendesk.operations.sessions.step_buffer import StepBuffer
from pendesk.settings import Settings
from pendesk.transports.metrics import Metrics


class Service(NamedTuple):
    settings: Settings
    installation: Installation
    dispatcher: Dispatcher
    files: Files
    metrics: Metrics
    feed: Feed
    steps: StepBuffer
