from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.signature import is_valid_signature, sign

KEY = b"a signing key for tests"
words = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=10)
parts = st.lists(words, max_size=3)


@given(words, parts)
def test_what_was_signed_is_signed(purpose, told):
    assert is_valid_signature(sign(KEY, purpose, *told), KEY, purpose, *told)


@given(words, parts, words, parts)
def test_a_signature_is_worth_nothing_for_another_purpose_or_other_parts(purpose, told, other_purpose, other_told):
    same = (purpose, told) == (other_purpose, other_told)
    assert is_valid_signature(sign(KEY, purpose, *told), KEY, other_purpose, *other_told) == same


@given(words, parts)
def test_a_signature_of_another_key_is_worth_nothing(purpose, told):
    assert not is_valid_signature(sign(b"another key", purpose, *told), KEY, purpose, *told)


def test_a_signature_with_letters_beyond_ascii_is_refused_and_not_an_error():
    assert not is_valid_signature("ä" * 64, KEY, "attachment", "path")
    assert not is_valid_signature("", KEY, "attachment", "path")
