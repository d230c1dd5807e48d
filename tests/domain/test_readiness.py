"""Is a spec ready to be published?"""

from pendesk.domain.readiness import BuildDraft, DraftedAction, readiness_remarks

ACTION = DraftedAction("PEN-1", "Do it.", ["The form shows an error for a wrong password"], 0, [])
GOOD = BuildDraft(
    summary="People sign in.",
    results=["A person can sign in"],
    conditions=["Passwords are hashed"],
    boundaries=["No single sign-on"],
    approach="Begin with the form.",
    actions=[ACTION],
    left_out=[],
    everyone_takes_part=False,
    participants=2,
    agents=1,
    project_state="active",
    unchanged_since=None,
    texts=[],
)


def codes(draft: BuildDraft) -> list[tuple[str, str, str | None]]:
    return [(one.level, one.code, one.ref) for one in readiness_remarks(draft)]


def test_nothing_is_said_about_a_good_one():
    assert readiness_remarks(GOOD) == []


def test_what_stops_publishing_comes_first():
    bare = GOOD._replace(summary="", actions=[ACTION._replace(criteria=[]), ACTION._replace(ref="PEN-2")])
    assert codes(bare) == [("missing", "no_criterion", "PEN-1"), ("weak", "no_summary", None)]


def test_without_a_plan_there_is_nothing_to_publish():
    assert codes(GOOD._replace(approach=None, actions=[])) == [("missing", "no_plan", None)]
    assert codes(GOOD._replace(actions=[])) == [("missing", "no_action", None)]


def test_each_empty_part_of_the_spec_is_named():
    empty = GOOD._replace(results=[], conditions=[], boundaries=[], approach=" ")
    assert {code for _, code, _ in codes(empty)} == {"no_results", "no_conditions", "no_boundaries", "no_approach"}


def test_a_criterion_that_passes_by_taste_is_quoted_with_its_vague_word():
    (told,) = readiness_remarks(GOOD._replace(actions=[ACTION._replace(criteria=["The page loads Fast for everyone"])]))
    assert (told.level, told.code, told.ref) == ("weak", "vague_criterion", "PEN-1")
    assert "“Fast”" in told.message
    assert (
        readiness_remarks(GOOD._replace(actions=[ACTION._replace(criteria=["The fasting mode starts at noon"])])) == []
    )


def test_a_criterion_of_a_word_or_two_says_too_little():
    assert codes(GOOD._replace(actions=[ACTION._replace(criteria=["It works"])])) == [
        ("weak", "short_criterion", "PEN-1")
    ]


def test_what_would_never_become_claimable_is_told():
    stuck = ACTION._replace(stuck_behind=["PEN-9"], open_questions=2)
    assert codes(GOOD._replace(actions=[stuck])) == [("weak", "open_question", "PEN-1"), ("weak", "stuck", "PEN-1")]


def test_who_can_see_it_is_told():
    assert codes(GOOD._replace(participants=0, agents=0)) == [("weak", "no_participant", None)]
    assert codes(GOOD._replace(participants=1, agents=0)) == [("note", "one_participant", None)]
    assert codes(GOOD._replace(project_state="paused")) == [("weak", "project_not_active", None)]


def test_what_stays_out_and_what_has_not_changed_is_noted():
    assert codes(GOOD._replace(left_out=["PEN-3"], unchanged_since="B2")) == [
        ("note", "left_out", None),
        ("note", "unchanged", None),
    ]
