from tests.cli.reference import PLACE, render


def test_the_reference_is_what_the_commands_say():
    assert PLACE.read_text("utf-8") == render(), "Run `make reference` and commit what it wrote."
