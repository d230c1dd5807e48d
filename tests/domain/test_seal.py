"""What the chain of hashes goes over."""

from pendesk.domain.event import LoggedEvent
from pendesk.domain.seal import SEALED_FIELDS, START, chain_hash

EVENT = LoggedEvent(1, 2, "token.created", "ada", "opus", "web", "token-1", "p", "s", "a", '{"name":"Ünï"}')


def test_a_link_is_what_it_was_when_the_first_logs_were_sealed():
    """Kept as text: whoever changes it breaks every seal there is."""
    assert chain_hash(START, EVENT) == "41ae480189d75bd0b2198eb8c64d9c2b0baba66d1871a99c9576fcf3fc8e39a2"


def test_every_field_counts_but_whom_it_is_about():
    assert set(LoggedEvent._fields) - set(SEALED_FIELDS) == {"about_user_id", "agent_session_id"}
    for name in (*SEALED_FIELDS, "agent_session_id"):
        changed = LoggedEvent(**{**EVENT._asdict(), name: "other"})
        assert chain_hash(START, changed) != chain_hash(START, EVENT)
    assert chain_hash(START, EVENT._replace(about_user_id="bea")) == chain_hash(START, EVENT)
