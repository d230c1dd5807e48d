"""What an agent reads of what people decided."""

from pendesk.domain.event_data import (
    ActionReleasedData,
    ActionReviewedData,
    ClarificationAnsweredData,
    TitledData,
)
from pendesk.domain.news import news_text

BLUE = "Ada answered your question on PEN-3: Blue"


def text_of(data):
    return news_text("", data, "PEN-3", "Ada", 0)


def test_an_agent_reads_an_answer_but_not_the_one_it_relayed():
    assert text_of(ClarificationAnsweredData(answer="Blue", relayed=False, news="Blue")) == BLUE
    assert text_of(ClarificationAnsweredData(answer="Blue", relayed=True, news="Blue")) is None
    assert text_of(ClarificationAnsweredData.from_wire({"answer": "Blue"})) == BLUE


def reviewed(verdict):
    return ActionReviewedData(before="in_review", after="done", verdict=verdict, verdicts=[], news=f"{verdict}: Fine.")


def test_a_verdict_names_the_action_and_the_reviewer():
    assert text_of(reviewed("approved")) == "PEN-3 was approved by Ada. Fine."
    changes = "Ada requested changes on PEN-3; get_action_brief lists them. Fine."
    assert text_of(reviewed("changes_requested")) == changes


def test_a_released_claim_says_to_stop():
    released = ActionReleasedData(before="in_progress", after="todo", holder="u", by_person=True)
    assert text_of(released) == "Ada released your claim on PEN-3: stop working on it."
    rework = ActionReleasedData(before="changes_requested", after="todo", holder="u", reason="Too slow.")
    assert text_of(rework).startswith("Ada handed the changes requested on PEN-3 to another agent: leave them.")
    assert text_of(rework).endswith(" Reason: Too slow.")


def test_nothing_else_is_news():
    assert text_of(TitledData(title="Tides")) is None
