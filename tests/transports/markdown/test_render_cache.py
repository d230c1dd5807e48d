from pendesk.transports.markdown.render_cache import RenderCache


def test_what_was_looked_at_last_is_kept_longest():
    remembered = RenderCache(30)
    remembered.put_all({b"a": "x" * 10, b"b": None})
    remembered.get_many([b"a"])
    remembered.put_all({b"c": "x" * 18})
    assert remembered.get_many([b"a", b"b", b"c"]) == {b"a": "x" * 10, b"c": "x" * 18}


def test_what_is_remembered_twice_counts_once():
    remembered = RenderCache(30)
    for _ in range(10):
        remembered.put_all({b"a": "x" * 10})
    remembered.put_all({b"b": "x" * 10})
    assert len(remembered.get_many([b"a", b"b"])) == 2


def test_what_is_larger_than_all_there_is_room_for_is_not_kept():
    remembered = RenderCache(5)
    remembered.put_all({b"a": "x" * 10})
    assert remembered.get_many([b"a"]) == {}
