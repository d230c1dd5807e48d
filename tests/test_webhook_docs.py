"""The example in docs/webhooks.md accepts what is sent, and nothing else."""

import re
import time
from collections.abc import Callable
from pathlib import Path

from pendesk.domain.webhook import signature_header

DOCS = Path(__file__).parent.parent / "docs" / "webhooks.md"
SECRET, BODY = "whsec_x", b'{"id": "1"}'


def example() -> Callable[..., bool]:
    found = re.search(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    assert found is not None
    names: dict[str, Callable[..., bool]] = {}
    exec(found[1], names)
    return names["is_from_pendesk"]


def test_what_pendesk_signs_is_accepted():
    assert example()(SECRET, signature_header(SECRET, int(time.time()), BODY), BODY)


def test_another_body_secret_time_or_form_is_not():
    check, now = example(), int(time.time())
    good = signature_header(SECRET, now, BODY)
    assert not check("whsec_y", good, BODY)
    assert not check(SECRET, good, BODY + b" ")
    assert not check(SECRET, good.replace(f"t={now}", f"t={now + 1}"), BODY)
    assert not check(SECRET, signature_header(SECRET, now - 3600, BODY), BODY)
    for nonsense in ("", "t=", "v1=", "t=x,v1=y", good.replace("v1", "v2"), f"t={now}"):
        assert not check(SECRET, nonsense, BODY)
