"""What stands on a card of the flow."""

import pytest

from pendesk.transports.web.parts.flow_drawing import LINE_WIDTH, _text_width, wrap_label


@pytest.mark.parametrize(
    ("label", "lines"),
    [
        ("Short", ["Short"]),
        ("Decide up, degraded or down from recent results", ["Decide up, degraded or down", "from recent results"]),
        ("", []),
        ("Serve the page with the present state of each component and its history", 2),
        ("W" * 200, 1),
        ("word " * 40, 2),
    ],
)
def test_a_label_has_two_lines_and_an_ellipsis_where_it_is_cut(label, lines):
    wrapped = wrap_label(label)
    if isinstance(lines, list):
        assert wrapped == lines
    else:
        assert len(wrapped) == lines
        assert wrapped[-1].endswith("…")
    assert all(_text_width(line) <= LINE_WIDTH for line in wrapped)


def test_a_cluster_has_one_line():
    (line,) = wrap_label("The status page as people see it every day", lines=1)
    assert line.endswith("…")
