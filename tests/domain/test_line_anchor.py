"""A comment stays at its lines as long as they are there."""

from pendesk.domain.change import FilePatch, Hunk
from pendesk.domain.limits import QUOTE_CHARS, QUOTE_LINES
from pendesk.domain.line_anchor import LineRange, locate_quote, quote_lines, sha_in_note


def patch(*lines, old_start=10, new_start=10):
    old = sum(line[0] in " -" for line in lines)
    new = sum(line[0] in " +" for line in lines)
    return FilePatch([Hunk(old_start, old, new_start, new, "", list(lines))], [])


BEFORE = patch(" a", "-b", "+B", "+C", " d")


def test_a_comment_quotes_its_lines_and_what_comes_right_before():
    assert quote_lines(BEFORE, LineRange("new", 12, 12)) == " a\n-b\n+B\n+C"
    assert quote_lines(BEFORE, LineRange("old", 11, 11)) == " a\n-b"


def test_lines_that_the_change_does_not_show_are_not_quoted():
    assert quote_lines(BEFORE, LineRange("new", 9, 11)) is None
    assert quote_lines(BEFORE, LineRange("new", 13, 14)) is None


def test_a_quote_is_bounded():
    long = patch(*[f"+{'x' * 400}{number}" for number in range(50)])
    quote = quote_lines(long, LineRange("new", 10, 59))
    assert quote is not None
    assert quote.count("\n") < QUOTE_LINES
    assert len(quote) <= QUOTE_CHARS


def test_the_lines_are_found_where_they_moved_to():
    then = LineRange("new", 11, 12)
    quote = quote_lines(BEFORE, then)
    later = patch(" z", "+B", "+C", " q", "+B", "+C", new_start=40)
    assert quote is not None
    assert locate_quote(later, then, quote) == LineRange("new", 41, 42), "the nearest of two"


def test_lines_that_were_rewritten_are_gone():
    then = LineRange("new", 11, 11)
    quote = quote_lines(BEFORE, then)
    assert quote is not None
    assert locate_quote(patch(" a", "-b", "+other", "+C"), then, quote) is None
    assert locate_quote(FilePatch([], []), then, quote) is None


def test_the_commit_of_a_disposition_is_read_from_its_note():
    assert sha_in_note("Fixed in 3f2a9bc, see the test.") == "3f2a9bc"
    assert sha_in_note("Not now.") is None
    assert sha_in_note(None) is None
