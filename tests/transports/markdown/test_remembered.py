from pendesk.transports.markdown.remembered import Remembered


def test_what_was_looked_at_last_is_kept_longest():
    remembered = Remembered(30)
    remembered.remember({b"a": "x" * 10, b"b": None})
    remembered.recall([b"a"])
    remembered.remember({b"c": "x" * 18})
    assert remembered.recall([b"a", b"b", b"c"]) == {b"a": "x" * 10, b"c": "x" * 18}


def test_what_is_remembered_twice_counts_once():
    remembered = Remembered(30)
    for _ in range(10):
        remembered.remember({b"a": "x" * 10})
    remembered.remember({b"b": "x" * 10})
    assert len(remembered.recall([b"a", b"b"])) == 2


def test_what_is_larger_than_all_there_is_room_for_is_not_kept():
    remembered = Remembered(5)
    remembered.remember({b"a": "x" * 10})
    assert remembered.recall([b"a"]) == {}
