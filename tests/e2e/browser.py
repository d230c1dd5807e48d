"""The real browser that tests drive."""

import os


def chromium() -> str:
    """Its path. `make test` finds or installs one; a run without it fails rather than passing over the pages."""
    path = os.environ.get("PENDESK_CHROMIUM")
    assert path, "PENDESK_CHROMIUM is not set: use `make test`, or what scripts/ensure_chromium.sh prints"
    return path
