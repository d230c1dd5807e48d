"""Housekeeping: what nobody can use any more, and clients that nobody let in."""

from pendesk.store import clients, codes, consents, devices, grants
from pendesk.store.engine.tx import Tx


def forget_old(tx: Tx) -> None:
    for noun in (consents, codes, devices, grants, clients):
        noun.forget_old(tx)
