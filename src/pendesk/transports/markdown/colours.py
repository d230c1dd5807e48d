"""Colours for code, in the languages that people write specs about."""

from functools import cache
from pathlib import PurePosixPath

from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType

from pendesk.domain.limits import COLOURED_BLANK_LINES, COLOURED_CHARS, COLOURED_LINE_CHARS

# Measured with strings, brackets and blank lines that never end: the cost of the first grows with the length of the
# code, that of the second with its square, so they colour less of it. Pygments has five hundred more, of which some
# take seconds for a few blank lines.
LINEAR = {
    *("bash", "c", "c++", "clojure", "console", "cpp", "dart", "diff", "docker", "dockerfile", "elixir", "graphql"),
    *("haskell", "html", "http", "ini", "json", "kotlin", "lua", "nginx", "php", "powershell", "proto", "protobuf"),
    *("ps1", "pwsh", "py", "pycon", "python", "rs", "rust", "scala", "scss", "sh", "shell", "sql", "swift", "toml"),
    *("udiff", "vue", "xml", "yaml", "yml", "zig", "zsh"),
}
SQUARE = {
    *("c#", "cs", "csharp", "css", "go", "golang", "groovy", "hcl", "java", "javascript", "js", "jsx", "make"),
    *("makefile", "markdown", "md", "perl", "r", "rb", "ruby", "terraform", "tf", "ts", "tsx", "typescript"),
}
SQUARE_WEIGHT = 5

# The language of a file, by the end of its name or by all of it.
LANGUAGES = {
    language: names.split()
    for language, names in {
        "bash": ".bash .sh .zsh",
        "c": ".c .h",
        "clojure": ".clj .cljs",
        "cpp": ".cc .cpp .cxx .hh .hpp",
        "csharp": ".cs",
        "css": ".css",
        "dart": ".dart",
        "dockerfile": "dockerfile containerfile",
        "elixir": ".ex .exs",
        "go": ".go",
        "graphql": ".graphql .gql",
        "groovy": ".gradle .groovy",
        "haskell": ".hs",
        "hcl": ".hcl .tf",
        "html": ".htm .html",
        "ini": ".cfg .ini .editorconfig .gitconfig",
        "java": ".java",
        "javascript": ".cjs .js .mjs",
        "json": ".json .webmanifest",
        "jsx": ".jsx",
        "kotlin": ".kt .kts",
        "lua": ".lua",
        "makefile": "makefile .mk",
        "markdown": ".markdown .md",
        "nginx": "nginx.conf",
        "perl": ".pl .pm",
        "php": ".php",
        "powershell": ".ps1",
        "protobuf": ".proto",
        "python": ".py .pyi",
        "r": ".r",
        "ruby": ".rb gemfile rakefile",
        "rust": ".rs",
        "scala": ".scala",
        "scss": ".scss",
        "sql": ".sql",
        "swift": ".swift",
        "toml": ".toml",
        "tsx": ".tsx",
        "typescript": ".cts .mts .ts",
        "vue": ".vue",
        "xml": ".svg .xml",
        "yaml": ".yaml .yml",
        "zig": ".zig",
    }.items()
}
_LANGUAGE_BY_NAME = {name: language for language, names in LANGUAGES.items() for name in names}
# What has a colour of its own, as a class of one letter; the rest, which is most of it, needs no element.
_GROUPS = [
    (Comment, "c"),
    (Keyword, "k"),
    (Operator.Word, "k"),
    (Name.Tag, "k"),
    (String, "s"),
    (Number, "m"),
    (Name.Constant, "m"),
    (Name.Function, "f"),
    (Name.Class, "f"),
    (Name.Decorator, "f"),
    (Name.Exception, "f"),
    (Name.Namespace, "f"),
    (Name.Attribute, "f"),
]

_FORMATTER = HtmlFormatter(nowrap=True)


def highlight_code(code: str, language: str, _attributes: str) -> str:
    """As HTML; empty where it has none, and markdown-it then escapes the code itself."""
    name = _fence_language(language)
    return str(highlight(code, _lexer(name), _FORMATTER)) if name in LINEAR | SQUARE else ""


def language_of_path(path: str) -> str:
    """Empty where it has none."""
    name = PurePosixPath(path).name.lower()
    return _LANGUAGE_BY_NAME.get(name) or _LANGUAGE_BY_NAME.get(PurePosixPath(name).suffix, "")


def colour_spans(code: str, language: str) -> str:
    """For each of its lines which parts have which colour: "k0-3 s9-14", by places in the line."""
    if language not in LINEAR | SQUARE or not _is_cheap_to_highlight(code):
        return ""
    lines: list[list[tuple[str, int, int]]] = [[] for _ in range(code.count("\n") + 1)]
    number, line_start = 0, 0
    for start, token, value in _lexer(language).get_tokens_unprocessed(code + "\n"):
        group, at = _group(token), start
        for index, piece in enumerate(value.split("\n")):
            if index:
                number, line_start = number + 1, at
            if group and piece and number < len(lines):
                _add_span(lines[number], group, at - line_start, at - line_start + len(piece))
            at += len(piece) + 1
    return "\n".join(" ".join(f"{group}{start}-{end}" for group, start, end in spans) for spans in lines)


def _add_span(spans: list[tuple[str, int, int]], group: str, start: int, end: int) -> None:
    """What touches and has the same colour is one."""
    if spans and spans[-1][0] == group and spans[-1][2] == start:
        start = spans.pop()[1]
    spans.append((group, start, end))


@cache
def _group(token: _TokenType) -> str:
    return next((group for kind, group in _GROUPS if token in kind), "")


def _fence_language(info: str) -> str:
    """The first word behind the fence."""
    return info.strip().lower().partition(" ")[0]


@cache
def _lexer(language: str) -> Lexer:
    return get_lexer_by_name(language, stripnl=False)


def drop_costly_highlighting(tokens: list[Token]) -> None:
    """The first blocks of code have them, up to a length together: they cost more than they tell in long ones."""
    left = COLOURED_CHARS
    for token in tokens:
        if token.type == "fence" and token.info:
            left -= len(token.content) * (SQUARE_WEIGHT if _fence_language(token.info) in SQUARE else 1)
            if left < 0 or not _is_cheap_to_highlight(token.content):
                token.info = ""


def _is_cheap_to_highlight(text: str) -> bool:
    """What no person writes (endless lines, endless blank lines) is what takes a lexer long."""
    blank_lines = 0
    for line in text.splitlines():
        blank_lines = 0 if line.strip() else blank_lines + 1
        if len(line) > COLOURED_LINE_CHARS or blank_lines > COLOURED_BLANK_LINES:
            return False
    return True
