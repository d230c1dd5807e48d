"""Sessions are listed by names that people know."""

import pytest

from pendesk.transports.web.parts.browser_name import browser_name

WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (f"Mozilla/5.0 (X11; Linux x86_64) {WEBKIT} HeadlessChrome/156.0.0.0 Safari/537.36", "Chrome 156 on Linux"),
        (
            f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {WEBKIT} Chrome/155.0 Safari/537.36 Edg/155.0",
            "Edge 155 on Windows",
        ),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 14.7; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox 140 on macOS"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605 Version/18.5 Mobile Safari/604.1",
            "Safari 18 on iPhone",
        ),
        (f"Mozilla/5.0 (Linux; Android 16) {WEBKIT} Chrome/156.0 Mobile Safari/537.36", "Chrome 156 on Android"),
        ("curl/8.5.0", "curl/8.5.0"),
        ("", "A browser"),
        ("x" * 500, "x" * 60),
    ],
)
def test_a_browser_has_the_name_people_know(user_agent, name):
    assert browser_name(user_agent) == name
