"""The worst input found for every parser and renderer. Each file lists those of one part of the server."""

from bench.inputs import changes, graphs, imports, reports, requests, searching
from bench.inputs.case import Case

CASES: list[Case] = [
    *changes.CASES,
    *searching.CASES,
    *graphs.CASES,
    *reports.CASES,
    *imports.CASES,
    *requests.CASES,
]
