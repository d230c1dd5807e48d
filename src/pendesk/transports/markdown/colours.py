"""Colours for code, in the languages that people write specs about."""

from functools import cache

from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name

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

_FORMATTER = HtmlFormatter(nowrap=True)


def highlight_code(code: str, language: str, _attributes: str) -> str:
    """As HTML; empty where it has none, and markdown-it then escapes the code itself."""
    name = _fence_language(language)
    return str(highlight(code, _lexer(name), _FORMATTER)) if name in LINEAR | SQUARE else ""


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
