import json
import logging
import sys

import pytest

from pendesk.transports.logs import JsonFormatter, TextFormatter, configure_logging
from pendesk.transports.request_log import request_id


@pytest.fixture
def record():
    try:
        raise ZeroDivisionError("why")
    except ZeroDivisionError:
        made = logging.LogRecord("pendesk", logging.WARNING, "x.py", 1, "it %s", ("broke\n",), sys.exc_info())
    made.log_fields = {"status": 500}
    return made


def test_json_lines_are_one_object_a_line(record):
    token = request_id.set("abc")
    line = JsonFormatter().format(record)
    request_id.reset(token)
    assert "\n" not in line
    told = json.loads(line)
    assert (told["message"], told["level"], told["status"], told["request"]) == ("it broke\n", "warning", 500, "abc")
    assert "ZeroDivisionError" in told["trace"]


def test_text_lines_are_for_people(record):
    line = TextFormatter().format(record)
    assert "warning it broke" in line
    assert "status=500" in line
    assert "Traceback" in line


@pytest.mark.parametrize(
    ("asked", "formatter"), [("text", TextFormatter), ("json", JsonFormatter), ("auto", JsonFormatter)]
)
def test_the_format_is_chosen(asked, formatter, own_logging):
    configure_logging(asked)
    assert isinstance(logging.getLogger().handlers[0].formatter, formatter)
