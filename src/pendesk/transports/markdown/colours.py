"""Colours for code, in the languages that people write specs about."""

from functools import cache

from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name

from pendesk.domain.limits import COLOURED_BLANK_LINES, COLOURED_CHARS, COLOURED_LINE_CHARS

# Within the bounds below the cost of most of these grows with the length of the code alone. In Go, Java, JavaScript and
# their like, strings that never end take the square of it: there the time that a text may take is the bound (measured:
# docs/internals/hostile-input.md). Of Pygments' other lexers, five hundred, some take seconds for a few blank lines.
LANGUAGES = {
    *("bash", "c", "c#", "c++", "clojure", "console", "cpp", "cs", "csharp", "css", "dart", "diff", "docker"),
    *("dockerfile", "elixir", "go", "golang", "graphql", "groovy", "haskell", "hcl", "html", "http", "ini", "java"),
    *("javascript", "jinja", "js", "json", "jsx", "kotlin", "lua", "make", "makefile", "markdown", "md", "nginx"),
    *("perl", "php", "powershell", "proto", "protobuf", "ps1", "pwsh", "py", "pycon", "python", "r", "rb", "rs"),
    *("ruby", "rust", "scala", "scss", "sh", "shell", "sql", "swift", "terraform", "tf", "toml", "ts", "tsx"),
    *("typescript", "udiff", "vue", "xml", "yaml", "yml", "zig", "zsh"),
}

_FORMATTER = HtmlFormatter(nowrap=True)


def coloured(code: str, language: str, _attributes: str) -> str:
    """As HTML; empty where it has none, and markdown-it then escapes the code itself."""
    name = language.strip().lower()
    return str(highlight(code, _lexer(name), _FORMATTER)) if name in LANGUAGES else ""


@cache
def _lexer(language: str) -> Lexer:
    return get_lexer_by_name(language, stripnl=False)


def limit_colours(tokens: list[Token]) -> None:
    """The first blocks of code have them, up to a length together: they cost more than they tell in long ones."""
    left = COLOURED_CHARS
    for token in tokens:
        if token.type == "fence" and token.info:
            left -= len(token.content)
            if left < 0 or not _is_like_code(token.content):
                token.info = ""


def _is_like_code(text: str) -> bool:
    """What no person writes (endless lines, endless blank lines) is what takes a lexer long."""
    blank_lines = 0
    for line in text.splitlines():
        blank_lines = 0 if line.strip() else blank_lines + 1
        if len(line) > COLOURED_LINE_CHARS or blank_lines > COLOURED_BLANK_LINES:
            return False
    return True
