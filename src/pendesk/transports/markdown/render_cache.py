"""Rendered texts, up to a total of characters; the least recently used are dropped first."""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping


class RenderCache:
    """For several threads. None stands for a text that is shown as written."""

    def __init__(self, max_chars: int) -> None:
        self._max_chars = max_chars
        self._chars = 0
        self._texts: OrderedDict[bytes, str | None] = OrderedDict()
        self._lock = threading.Lock()

    def get_many(self, keys: Iterable[bytes]) -> dict[bytes, str | None]:
        """Those that are known."""
        with self._lock:
            known = {key: self._texts[key] for key in keys if key in self._texts}
            for key in known:
                self._texts.move_to_end(key)
        return known

    def put_all(self, rendered: Mapping[bytes, str | None]) -> None:
        with self._lock:
            for key, html in rendered.items():
                self._drop(key)
                self._texts[key] = html
                self._chars += _cache_entry_size(key, html)
            while self._chars > self._max_chars:
                self._drop(next(iter(self._texts)))

    def _drop(self, key: bytes) -> None:
        if key in self._texts:
            self._chars -= _cache_entry_size(key, self._texts.pop(key))


def _cache_entry_size(key: bytes, html: str | None) -> int:
    return len(key) + len(html or "")
