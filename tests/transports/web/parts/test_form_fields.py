import pytest

from pendesk.domain.errors import BadField
from pendesk.operations.actions.create_action import CreateAction
from pendesk.operations.actions.update_action import UpdateAction
from pendesk.operations.building.submit_for_review import SubmitForReview
from pendesk.transports.web.parts.form_fields import form_fields_to_arguments
from tests.refusals import refused


def test_texts_become_numbers_where_the_input_has_numbers():
    read = form_fields_to_arguments(
        UpdateAction, [("action_id", "7"), ("priority", " 3 "), ("x", "1.5"), ("label", "12")]
    )
    assert read == {"action_id": "7", "priority": 3, "x": 1.5, "label": "12"}


def test_what_is_no_number_is_left_for_the_door_to_refuse():
    assert form_fields_to_arguments(UpdateAction, [("priority", "soon")]) == {"priority": "soon"}


def test_a_name_twice_is_a_list_and_blank_lines_of_it_are_left_out():
    sent = [("criteria", "one"), ("criteria", ""), ("criteria", "two"), ("paths", "src/**")]
    assert form_fields_to_arguments(CreateAction, sent) == {"criteria": ["one", "two"], "paths": ["src/**"]}


def test_a_blank_field_is_left_out_only_where_it_could_not_be_blank():
    sent = [("description", ""), ("reason", ""), ("state", ""), ("priority", ""), ("label", "")]
    assert form_fields_to_arguments(UpdateAction, sent) == {"description": ""}


def test_dotted_names_are_fields_of_the_entries_of_a_list():
    sent = [(f"evidence.{at}.{name}", f"{name}{at}") for at in (10, 2) for name in ("criterionId", "evidence")]
    assert form_fields_to_arguments(SubmitForReview, sent) == {
        "evidence": [
            {"criterionId": "criterionId2", "evidence": "evidence2"},
            {"criterionId": "criterionId10", "evidence": "evidence10"},
        ]
    }


def test_the_forms_own_fields_are_not_the_operations():
    assert form_fields_to_arguments(UpdateAction, [("_done", "Saved."), ("unknown", "x")]) == {"unknown": "x"}


def test_line_breaks_are_those_of_everybody_else():
    assert form_fields_to_arguments(UpdateAction, [("description", "a\r\nb")]) == {"description": "a\nb"}


@pytest.mark.parametrize("sent", [[("a", "1"), ("a.b", "2")], [("a.b", "2"), ("a", "1")], [("a.b.c.d.e.f", "1")]])
def test_what_cannot_be_one_input_is_refused_by_name(sent):
    with refused(BadField):
        form_fields_to_arguments(UpdateAction, sent)
