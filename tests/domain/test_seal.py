"""What the chain of hashes goes over, and what whoever walks it finds."""

from pendesk.domain.event import LoggedEvent
from pendesk.domain.seal import (
    SEALED_FIELDS,
    START,
    EventLogVerifier,
    chain_hash,
    make_seal,
    reseal_if_signed_by_previous_key,
)

EVENT = LoggedEvent(1, 2, "token.created", "ada", "opus", "web", "token-1", "p", "s", "a", '{"name":"Ünï"}')
LOG = [EVENT._replace(seq=seq) for seq in (1, 2, 3)]
KEY, OTHER_KEY = b"k" * 32, b"o" * 32


def links(events):
    """The link after each event."""
    head, found = START, []
    for event in events:
        head = chain_hash(head, event)
        found.append(head)
    return found


def verify(events, seals=(), expect=None):
    verifier = EventLogVerifier(KEY, "w", list(seals), expect)
    verifier.add_findings_for_events(events)
    return verifier.finish(), verifier.has_found_expected_hash


def seal_at(seq, key=KEY):
    return make_seal(key, "w", seq, links(LOG)[seq - 1], 7)


def test_a_link_is_what_it_was_when_the_first_logs_were_sealed():
    """Kept as text: whoever changes it breaks every seal there is."""
    assert chain_hash(START, EVENT) == "41ae480189d75bd0b2198eb8c64d9c2b0baba66d1871a99c9576fcf3fc8e39a2"


def test_every_field_counts_but_whom_it_is_about():
    assert set(LoggedEvent._fields) - set(SEALED_FIELDS) == {"about_user_id", "agent_session_id"}
    for name in (*SEALED_FIELDS, "agent_session_id"):
        changed = LoggedEvent(**{**EVENT._asdict(), name: "other"})
        assert chain_hash(START, changed) != chain_hash(START, EVENT)
    assert chain_hash(START, EVENT._replace(about_user_id="bea")) == chain_hash(START, EVENT)


def test_a_log_as_it_was_sealed_has_no_findings_and_ends_in_its_last_link():
    result, _ = verify(LOG, [seal_at(2)])
    assert result == (3, 2, links(LOG)[2], [])
    assert verify([])[0] == (0, 0, START, [])


def test_a_link_noted_outside_is_met_only_by_the_event_of_its_number():
    second = links(LOG)[1]
    for expect, met in (((2, second), True), ((3, second), False), ((2, START), False), ((4, second), False)):
        assert verify(LOG, expect=expect)[1] is met
    assert verify(LOG)[1] is False


def test_a_change_is_found_between_the_seals_around_it_and_a_later_one_by_itself():
    seals = [seal_at(1), seal_at(2), seal_at(3)]
    changed = [LOG[0]._replace(kind="x"), LOG[1], LOG[2]._replace(kind="x")]
    assert [finding.seq for finding in verify(changed, seals)[0].findings] == [1, 3]
    assert verify([LOG[0], changed[2]._replace(seq=2), LOG[2]], seals)[0].findings[0].seq == 2


def test_a_removed_end_is_found_after_the_last_event_there_is():
    ((finding,),) = (verify(LOG[:1], [seal_at(3)])[0].findings,)
    assert finding == (2, "the log ends at 1, but was sealed up to 3: its end was removed")


def test_a_seal_made_with_another_secret_is_found_where_it_stands():
    (finding,) = verify(LOG, [seal_at(2, OTHER_KEY)])[0].findings
    assert finding == (2, "this seal was not made with this server's secret")


def test_a_new_secret_signs_again_what_the_previous_signed_and_keeps_its_time():
    assert reseal_if_signed_by_previous_key(seal_at(2, OTHER_KEY), "w", OTHER_KEY, KEY) == seal_at(2)
    forged = seal_at(2, b"f" * 32)
    assert reseal_if_signed_by_previous_key(forged, "w", OTHER_KEY, KEY) == forged
