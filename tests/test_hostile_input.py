"""Twice the input, at most twice the work: for the worst input of every parser and renderer that is known.

The inputs are those of `make bench ARGS=hostile`, which shows what they cost at their full size; here the lines of
Python that they run are counted at a small one. What runs in C is not seen: patterns have a test of their own.
"""

from functools import partial

import pytest

from bench.hostile import answer_of
from bench.inputs import CASES
from tests.steps import count_steps

SIZE = 1_000
LINEAR = 2.6
# What a small input may cost in any case.
FEW_STEPS = 400_000


# A callback of the garbage collector may be what the processor limit stops; the limit then stops the next thing.
@pytest.mark.filterwarnings(r"ignore:[\s\S]*TooCostly:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parser}: {case.description}")
def test_work_grows_with_the_input_and_no_faster(case):
    half = min(case.size // 2, SIZE)
    works = [case.prepare(size) for size in (half, 2 * half)]
    small, large = (count_steps(partial(answer_of, work)) for work in works)
    assert large < max(LINEAR * small, FEW_STEPS)


# A callback of the garbage collector may be what the processor limit stops; the limit then stops the next thing.
@pytest.mark.filterwarnings(r"ignore:[\s\S]*TooCostly:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parser}: {case.description}")
def test_it_is_answered_or_refused(case):
    assert not answer_of(case.prepare(min(case.size, SIZE))).startswith("FAULT")
