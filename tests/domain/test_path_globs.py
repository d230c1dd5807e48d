"""Globs over the paths of a repository."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pendesk.domain.path_globs import globs_may_overlap, matches
from tests.steps import count_steps

globs = st.lists(
    st.sampled_from(["a", "b", "ab", "*", "?", "**", "a*", "*b", "?b", "*a*b"]), min_size=1, max_size=5
).map("/".join)
paths = st.lists(st.sampled_from(["a", "b", "ab", "aab", "ba", "bb", "abab"]), min_size=1, max_size=5).map("/".join)


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("CHANGELOG.md", "CHANGELOG.md"),
        ("./CHANGELOG.md", "CHANGELOG.md"),
        ("src/billing", "src/billing/tax/vat.py"),
        ("src/billing/", "src/billing/tax.py"),
        ("src/billing/**", "src/billing/tax.py"),
        ("src/billing/**", "src/billing/tax/vat.py"),
        ("vendor/lib/**", "vendor/lib"),  # a submodule is a path by itself
        ("src/*.py", "src/main.py"),
        ("src/?ain.py", "src/main.py"),
        ("**/*.lock", "uv.lock"),
        ("**/*.lock", "clients/web/yarn.lock"),
        ("**/migrations/**", "src/store/migrations/0001.sql"),
        ("**/node_modules", "web/node_modules/left-pad/index.js"),
        ("src/**/test_*.py", "src/test_a.py"),
        ("src/**/test_*.py", "src/deep/down/test_a.py"),
        ("**", "anything/at/all"),
        (".", "anything/at/all"),
        ("***", "anything/at/all"),
        ("src/**.py", "src/main.py"),
        ("a*b*c", "abbbbc"),
        ("*", "README"),
        ("docs/[a].md", "docs/[a].md"),
        ("docs/ünï.md", "docs/ünï.md"),
    ],
)
def test_a_glob_matches(glob, path):
    assert matches(glob, path)


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("src/billing", "src/billing.py"),
        ("src/billing", "lib/src/billing/tax.py"),
        ("src/*.py", "src/deep/main.py"),
        ("src/*", "src/deep/main.py"),
        ("*.py", "src/main.py"),
        ("src/?ain.py", "src/ain.py"),
        ("src?main.py", "src/main.py"),
        ("**/x.py", "src/ax.py"),
        ("a/**/b", "a/xb"),
        ("src/**.py", "src/deep/main.py"),
        ("README", "readme"),
        ("docs/[ab].md", "docs/a.md"),
        ("", "src/main.py"),
        ("  ", "src/main.py"),
    ],
)
def test_a_glob_does_not_match(glob, path):
    assert not matches(glob, path)


@given(globs, paths)
@settings(max_examples=200)
def test_a_glob_matches_what_the_slow_and_plain_way_matches(glob, path):
    assert matches(glob, path) == _by_segments(glob.split("/"), path.split("/"))


def _by_segments(glob, path):
    """The rule as it is written, without a thought for what it costs."""
    if not glob:
        return not path
    if glob == ["**"]:
        return True
    if glob[0] == "**":
        return any(_by_segments(glob[1:], path[skipped:]) for skipped in range(len(path) + 1))
    pattern = "".join({"*": ".*", "?": "."}.get(char, re.escape(char)) for char in glob[0])
    if not path or not re.fullmatch(pattern, path[0]):
        return False
    is_folder = len(glob) == 1 and not {"*", "?"} & set(glob[0])
    return is_folder or _by_segments(glob[1:], path[1:])


@given(globs, globs, paths)
@settings(max_examples=200)
def test_globs_that_match_the_same_path_may_overlap(a, b, path):
    if matches(a, path) and matches(b, path):
        assert globs_may_overlap(a, b)
        assert globs_may_overlap(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("src/billing/**", "src/billing/tax.py"),
        ("src", "src/billing/tax.py"),
        ("**/*.py", "src/billing"),
        ("src/*/api.py", "src/billing/*.py"),
        ("a*", "*b"),
        ("**", "README"),
    ],
)
def test_globs_may_overlap(a, b):
    assert globs_may_overlap(a, b)
    assert globs_may_overlap(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("src/billing/**", "src/accounts/**"),
        ("src/*.py", "src/*.js"),
        ("src/a*", "src/b*"),
        ("src/??", "src/???"),
        ("src/main.py", "src/main.pyc"),
        ("src/*.py", "src/deep/x.py"),
        ("", "src"),
    ],
)
def test_globs_that_share_no_path_do_not_overlap(a, b):
    assert not globs_may_overlap(a, b)
    assert not globs_may_overlap(b, a)


@pytest.mark.parametrize(
    "glob", ["*a" * 125, "**/" * 83, "**/*a" * 50, "?*" * 125, "*" * 250, "a" * 120 + "*" + "a" * 120]
)
def test_a_hostile_glob_takes_the_same_few_steps_for_every_character(glob):
    short = count_steps(lambda: matches(glob, "a" * 500 + "/b"))
    long = count_steps(lambda: matches(glob, "a" * 1_000 + "/b"))
    assert long < 2.2 * short < 40_000


def test_two_hostile_globs_are_compared_in_steps_that_grow_with_their_names():
    hostile = "**/*a*/" * 35
    assert count_steps(lambda: globs_may_overlap(hostile + "b", hostile + "c")) < 200_000
