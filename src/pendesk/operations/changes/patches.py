"""The hunks of one file of a change, read from the stored file."""

import os
import zlib

import msgspec

from pendesk.domain.change import Change, ChangeFile, FilePatch
from pendesk.domain.limits import CHANGE_BYTES
from pendesk.operations.operation import Call

_NONE = FilePatch([], [])
# Encoded as JSON, hunks are longer than the diff that they came in.
_MAX_BYTES = 8 * CHANGE_BYTES
_decoder = msgspec.json.Decoder(FilePatch)


def read_patch(call: Call, change: Change, file: ChangeFile) -> FilePatch:
    """Empty where the file has no hunks, or where the bytes are gone."""
    call.require_worker_thread()
    handle = call.installation.files.open_fd(change.storage_key) if file.length else None
    if handle is None:
        return _NONE
    with os.fdopen(handle, "rb") as stored:
        stored.seek(file.start)
        packed = stored.read(file.length)
    return _decoder.decode(zlib.decompressobj().decompress(packed, _MAX_BYTES))
