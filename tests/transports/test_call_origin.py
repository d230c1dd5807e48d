from pendesk.domain.agent_session import MarkKind, make_mark
from pendesk.domain.limits import MACHINE_CHARS, MARK_CHARS
from pendesk.transports.call_origin import REMEMBERED_BYTES, MetaOrigin, _remembered_header_texts, read_call_origin


def marks(**values):
    return frozenset(make_mark(MarkKind(kind), value) for kind, value in values.items())


def test_a_call_that_says_nothing_comes_from_nowhere_known():
    assert read_call_origin({}) == read_call_origin({b"user-agent": b"python-httpx/0.28"})
    assert read_call_origin({}).marks == frozenset()


def test_the_headers_of_our_own_helper_are_marks():
    origin = read_call_origin(
        {
            b"x-pendesk-session": b"job-7",
            b"x-pendesk-process": b"0af3",
            b"x-pendesk-client-session": b"claude-code:b7c0",
            b"x-pendesk-client": b"claude-code",
            b"x-pendesk-machine": b"ada-laptop",
        }
    )
    assert origin.marks == marks(given="job-7", process="0af3", client="b7c0")
    assert (origin.client, origin.machine, origin.session_name) == ("claude-code", "ada-laptop", "job-7")


def test_codex_says_in_meta_which_session_and_thread_it_is():
    headers = {b"x-pendesk-client-session": b"codex:root"}
    meta = MetaOrigin(client_session="root", thread="sub-1", tool_use_id="call_1", client_name="codex", model="gpt-5.5")
    origin = read_call_origin({}, meta)
    assert origin.marks == read_call_origin(headers).marks == marks(client="root")
    assert (origin.client, origin.thread, origin.tool_use_id, origin.model) == ("codex", "sub-1", "call_1", "gpt-5.5")


def test_the_root_thread_is_no_sub_agent():
    assert read_call_origin({}, MetaOrigin(client_session="root", thread="root")).thread == ""
    assert read_call_origin({b"x-pendesk-client-session": b"codex:root", b"x-pendesk-thread": b"root"}).thread == ""


def test_the_mark_that_a_user_gave_may_stand_in_meta_too():
    origin = read_call_origin({}, MetaOrigin(session="job-7"))
    assert (origin.marks, origin.session_name) == (marks(given="job-7"), "job-7")


def test_the_client_is_known_by_its_user_agent_and_our_own_command_line_is_none():
    assert read_call_origin({b"user-agent": b"claude-code/2.1.325 (cli)"}).client == "claude-code"
    assert read_call_origin({b"user-agent": b"pendesk-cli/0.1"}).client == ""
    assert read_call_origin({b"user-agent": b"pendesk-cli/0.1", b"x-pendesk-client": b"codex"}).client == "codex"


def test_what_is_malformed_is_left_out_and_what_is_long_is_cut():
    meta = MetaOrigin(session=7, client_session={"a": 1}, thread=[], tool_use_id=None, client_name=3, model=1.5)
    assert read_call_origin({b"x-pendesk-process": b"\x00\x01 "}, meta) == read_call_origin({})
    long = read_call_origin({b"x-pendesk-machine": b"m" * 500, b"x-pendesk-session": b"s" * 5_000})
    assert len(long.machine) == MACHINE_CHARS
    assert long.marks == marks(given="s" * MARK_CHARS)
    assert read_call_origin({b"x-pendesk-machine": "ada\n\x1b[31m-läptop".encode("latin-1")}).machine == "ada[31m-lptop"


def test_the_same_headers_are_parsed_once_and_long_ones_are_not_remembered():
    headers = {b"x-pendesk-process": b"boot 17", b"user-agent": b"codex/1"}
    origin = read_call_origin(headers)
    parsed = _remembered_header_texts.cache_info().misses
    assert read_call_origin(dict(headers)) == origin
    assert read_call_origin(headers, MetaOrigin(tool_use_id="toolu_1")) == origin._replace(tool_use_id="toolu_1")
    assert read_call_origin(headers | {b"x-pendesk-thread": b"t" * REMEMBERED_BYTES}).marks == origin.marks
    assert _remembered_header_texts.cache_info().misses == parsed
