"""What a deletion answers with."""

from pendesk.operations.operation import Output


class Deleted(Output):
    """It is no longer there; the log keeps what happened to it."""

    pid: str
