"""Markdown, as the process that renders it does so: with its limits."""

from bench.inputs.case import Case, case, repeated
from pendesk.domain.limits import TEXT_CHARS, WORDS_CHARS
from pendesk.domain.plain_text import without_markdown
from pendesk.transports.markdown.job import RenderJob
from pendesk.transports.markdown.worker import render_text

TABLE = "|" * 301 + "\n" + "|-" * 300 + "|\n" + "|\n" * 220 + "\n"


def rendered(text: str) -> str:
    """Its HTML; empty where it is shown as written."""
    return render_text(RenderJob("text", text, "https://git.example/o/r")).html or ""


def _text(description: str, unit: str, before: str = "", after: str = "") -> Case:
    return case("Markdown", description, TEXT_CHARS, rendered, repeated(unit, before, after))


CASES = [
    _text("plain prose", "It is **slow** and `odd`, see [here](https://o.test) and HRB-12.\n\n"),
    _text("tables of 66,000 empty cells", TABLE),
    _text("a table of one column", "|b|\n", "|a|\n|-|\n"),
    _text("addresses full of brackets", "http://a.b/("),
    _text("words full of addresses full of brackets", "http://a.b/[" * 80 + " "),
    _text("one long address named again and again", "[a] ", "[a]: https://a.test/" + "x" * 2_000 + "\n\n"),
    _text("pictures within pictures", "!["),
    _text("brackets that never end", "["),
    _text("list items", "* a\n"),
    _text("emphasis within emphasis", "**a"),
    _text("quotes within quotes", "> "),
    _text("refs", "AB-1 "),
    _text("code: blank lines, singularity", "\n", "```singularity\n", "\n```"),
    _text("code: blank lines, Python", "\n", "```python\n", "\n```"),
    _text("code: strings that never end, Java", "\\'" * 100 + "\n", "```java\n", "\n```"),
    _text("code: short words, C#", "a\n", "```csharp\n", "\n```"),
    case("Markdown, code", "short words, C#, as much as is coloured", 4_000, rendered,
         repeated("a\n", "```csharp\n", "\n```")),
    case("Markdown, code", "strings that never end, Go, as much as is coloured", 4_000, rendered,
         repeated("\\'" * 100 + "\n", "```go\n", "\n```")),
    case("Markdown, code", "generics, Scala, as much as is coloured", 20_000, rendered,
         repeated("a<" * 100 + "\n", "```scala\n", "\n```")),
    case("Markdown, words", "brackets", WORDS_CHARS, without_markdown, repeated("![[")),
]  # fmt: skip
