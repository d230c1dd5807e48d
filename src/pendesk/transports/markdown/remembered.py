"""What was rendered, up to so many characters together; what nobody has looked at for longest goes first."""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping


class Remembered:
    """For several threads. None stands for a text that is shown as written."""

    def __init__(self, most_chars: int) -> None:
        self._most_chars = most_chars
        self._chars = 0
        self._texts: OrderedDict[bytes, str | None] = OrderedDict()
        self._lock = threading.Lock()

    def recall(self, keys: Iterable[bytes]) -> dict[bytes, str | None]:
        """Those that are known."""
        with self._lock:
            known = {key: self._texts[key] for key in keys if key in self._texts}
            for key in known:
                self._texts.move_to_end(key)
        return known

    def remember(self, rendered: Mapping[bytes, str | None]) -> None:
        with self._lock:
            for key, html in rendered.items():
                self._forget(key)
                self._texts[key] = html
                self._chars += _size(key, html)
            while self._chars > self._most_chars:
                self._forget(next(iter(self._texts)))

    def _forget(self, key: bytes) -> None:
        if key in self._texts:
            self._chars -= _size(key, self._texts.pop(key))


def _size(key: bytes, html: str | None) -> int:
    return len(key) + len(html or "")
