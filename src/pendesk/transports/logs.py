"""Log lines on stderr: text for people, one JSON object a line for programs."""

import logging
import sys

from pendesk.clock import now_us, to_iso
from pendesk.operations.operation import encode_json
from pendesk.transports.request_log import request_id


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return encode_json(_log_record_fields(self, record)).decode()


class TextFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        fields = _log_record_fields(self, record)
        head = f"{fields.pop('at')} {fields.pop('level'):<7} {fields.pop('message')}"
        trace = fields.pop("trace", "")
        tail = "".join(f" {name}={value}" for name, value in fields.items() if name != "logger")
        return f"{head}{tail}" + (f"\n{trace}" if trace else "")


def _log_record_fields(formatter: logging.Formatter, record: logging.LogRecord) -> dict[str, object]:
    fields: dict[str, object] = {
        "at": to_iso(now_us()),
        "level": record.levelname.lower(),
        "logger": record.name,
        "message": record.getMessage(),
        **getattr(record, "log_fields", {}),
    }
    if request_id.get():
        fields["request"] = request_id.get()
    if record.exc_info:
        fields["trace"] = formatter.formatException(record.exc_info)
    return fields


def configure_logging(log_format: str) -> None:
    as_text = log_format == "text" or (log_format == "auto" and sys.stderr.isatty())
    handler = logging.StreamHandler()
    handler.setFormatter(TextFormatter() if as_text else JsonFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    # Nobody reads where in the source a line comes from, nor its thread; finding out costs half of the line.
    logging._srcfile = None
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    # uvicorn tells its own start and stop; we tell ours.
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
