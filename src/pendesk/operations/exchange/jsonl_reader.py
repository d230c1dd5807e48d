"""The lines of an export, one after the other: the header first, the end last, nothing missing between them."""

import base64
import binascii
import hashlib
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from pendesk.domain.limits import IMPORT_ROWS
from pendesk.operations.exchange import jsonl

PROGRESS_LINES = 200


class JsonlReader:
    def __init__(self, source: BinaryIO, translate: Callable[[bytes], bytes], progress: Callable[[int], None]) -> None:
        """`translate` changes a line before it is read; `progress` is told the bytes that were read."""
        self._source = source
        self._translate = translate
        self._progress = progress
        self._raw = jsonl.read_numbered_lines(source)
        self._lines = 0
        self._hash = hashlib.sha256()
        self._waiting: tuple[int, str, Any] | None = None

    @property
    def sha256_of_bytes_read(self) -> str:
        return self._hash.hexdigest()

    def __iter__(self) -> Iterator[tuple[int, str, Any]]:
        """Number, word and value of each row. Bytes that nobody took are out of place."""
        jsonl.check_header(*self._next_line())
        while True:
            number, word, value = self._next_line_number_kind_and_value()
            if word == "end":
                self._check_end_line(number, value)
                return
            if word == "bytes":
                raise jsonl.line_error(number, word, "follow no attachment.")
            yield number, word, value

    def attachment_chunks(self) -> Iterator[bytes]:
        while True:
            self._waiting = number, word, value = self._next_line_number_kind_and_value()
            if word != "bytes":
                return
            self._waiting = None
            try:
                yield base64.b64decode(value, validate=True)
            except binascii.Error:
                raise jsonl.line_error(number, word, "are not base64.") from None

    def _next_line_number_kind_and_value(self) -> tuple[int, str, Any]:
        if self._waiting is not None:
            waiting, self._waiting = self._waiting, None
            return waiting
        number, raw = self._next_line()
        return number, *jsonl.decode_line_kind_and_value(number, self._translate(raw))

    def _next_line(self) -> tuple[int, bytes]:
        line = next(self._raw, None)
        if line is None:
            raise jsonl.line_error(
                self._lines + 1, "end", "is missing: the file was cut off. Copy it whole, or export again."
            )
        self._lines += 1
        if self._lines > IMPORT_ROWS:
            raise jsonl.line_error(line[0], "", f"is one too many: {IMPORT_ROWS} lines is the limit.")
        self._hash.update(line[1])
        if self._lines % PROGRESS_LINES == 0:
            self._progress(self._source.tell())
        return line

    def _check_end_line(self, line_number: int, end: jsonl.End) -> None:
        if end.lines != self._lines:
            raise jsonl.line_error(
                line_number, "end.lines", f"is {end.lines}, but {self._lines} lines were read: some were lost or added."
            )
        if next(self._raw, None) is not None:
            raise jsonl.line_error(line_number + 1, "", "comes after the end; remove it.")
        self._progress(self._source.tell())
