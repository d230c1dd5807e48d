import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.project import propose_project_key
from pendesk.ids import parse_ref_code_key_and_number

keys = st.sets(st.from_regex(r"[A-Z][A-Z0-9]{1,4}", fullmatch=True), max_size=5)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Pendesk", "PEN"),
        ("pendesk", "PEN"),
        ("Billing API", "BA"),
        ("One two three four five", "OTTF"),
        ("2026 roadmap", "ROA"),
        ("X", "PRJ"),
        ("", "PRJ"),
        ("2026", "PRJ"),
        ("日本語", "PRJ"),
        ("Überblick", "BER"),
    ],
)
def test_a_key_is_the_initials_of_several_words_or_the_first_letters_of_one(name, key):
    assert propose_project_key(name, set()) == key


def test_a_key_that_is_taken_gets_a_number():
    assert propose_project_key("Pendesk", {"PEN"}) == "PEN2"
    assert propose_project_key("Pendesk", {"PEN", "PEN2", "PEN3"}) == "PEN4"


@given(st.text(max_size=40), keys)
def test_a_proposed_key_is_free_and_makes_ref_codes_that_can_be_read_back(name, taken):
    key = propose_project_key(name, taken)
    assert key not in taken
    assert parse_ref_code_key_and_number(f"{key}-12") == (key, 12)
