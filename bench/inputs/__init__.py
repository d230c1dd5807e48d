"""The worst input found for every parser and renderer. Each file lists those of one part of the server."""

from bench.inputs import changes, graphs, imports, markdown, reports, requests, searching
from bench.inputs.case import Case

CASES: list[Case] = [
    *markdown.CASES,
    *changes.CASES,
    *searching.CASES,
    *graphs.CASES,
    *reports.CASES,
    *imports.CASES,
    *requests.CASES,
]
