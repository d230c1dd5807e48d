import os

from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain import token


@given(st.binary(min_size=32, max_size=32))
def test_every_token_has_the_form_of_one(random):
    written = token.make_token(random)
    assert token.has_token_format(written)
    assert written.startswith("pendesk_mcp_")
    assert written.isascii()


@given(st.binary(min_size=32, max_size=32), st.integers(0, 60), st.sampled_from("0aZ_-é "))
def test_a_changed_character_is_noticed(random, place, other):
    written = token.make_token(random)
    changed = written[:place] + other + written[place + 1 :]
    assert token.has_token_format(changed) == (changed == written)


@given(st.text(max_size=80))
def test_other_text_is_none(text):
    assert not token.has_token_format(text)
    assert not token.has_token_format("pendesk_mcp_" + text)


def test_tokens_differ_and_are_stored_as_their_hash():
    first, second = (token.make_token(os.urandom(32)) for _ in range(2))
    assert first != second
    assert token.hash_secret(first) != token.hash_secret(second)
    assert len(token.hash_secret(first)) == 64
    assert first not in token.hash_secret(first)


def test_a_line_break_at_the_end_is_not_overlooked():
    assert not token.has_token_format(token.make_token(os.urandom(32)) + "\n")
