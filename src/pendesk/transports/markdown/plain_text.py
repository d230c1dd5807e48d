"""A Markdown text without its markup."""

from markdown_it import MarkdownIt

from pendesk.domain.limits import WORDS_CHARS

_PARSER = MarkdownIt("commonmark", {"html": False})


def plain_text_excerpt(markdown_text: str) -> str:
    """Its beginning on one line: for lists, which show no more than that."""
    inlines = [token.children or [] for token in _PARSER.parse(markdown_text[:WORDS_CHARS]) if token.type == "inline"]
    return " ".join(
        "".join(" " if child.type.endswith("break") else child.content for child in children) for children in inlines
    )
