"""The answer of a tool as text."""

from typing import Any


def format_result_lines(result: Any, indent: str = "") -> list[str]:
    """Short and readable: empty fields are left out, nested objects are indented."""
    lines: list[str] = []
    for key, value in result.items():
        if value in (None, [], {}, ""):
            continue
        if isinstance(value, dict):
            lines += [f"{indent}{key}:", *format_result_lines(value, indent + "  ")]
        elif isinstance(value, list) and isinstance(value[0], dict):
            lines.append(f"{indent}{key}:")
            for item in value:
                first, *rest = format_result_lines(item, indent + "    ") or [indent + "    -"]
                lines += [f"{indent}  - {first.strip()}", *rest]
        elif isinstance(value, list):
            lines += [f"{indent}{key}:", *(f"{indent}  - {item}" for item in value)]
        else:
            lines.append(f"{indent}{key}: {_format_scalar(value, indent)}")
    return lines


def _format_scalar(value: Any, indent: str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("\n", f"\n{indent}  ")
