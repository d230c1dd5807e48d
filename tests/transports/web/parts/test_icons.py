"""Icons draw what the file of icons draws, with one path for all of theirs."""

import re

from pendesk.transports.web.parts.assets import ASSETS
from pendesk.transports.web.parts.icons import ICON_SHAPES

SPRITE = ASSETS["icons.svg"].content.decode()


def test_every_icon_of_the_file_can_be_drawn():
    assert list(ICON_SHAPES) == re.findall(r'<symbol id="([\w-]+)"', SPRITE)
    assert all(len(re.findall("<path", shape)) <= 1 for shape in ICON_SHAPES.values())


def test_a_path_that_follows_another_begins_where_it_began_alone():
    assert '<path d="m12 19-7-7 7-7" /><path d="M19 12H5" />' in SPRITE
    assert ICON_SHAPES["arrow-left"] == '<path d="M12 19l-7-7 7-7M19 12H5"/>'


def test_what_is_not_a_path_stays_as_it_is():
    assert ICON_SHAPES["search"] == '<path d="M21 21l-4.34-4.34"/><circle cx="11" cy="11" r="8"/>'
