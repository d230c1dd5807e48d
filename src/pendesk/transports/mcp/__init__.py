"""The MCP endpoint: JSON-RPC in, operations through the dispatcher, JSON-RPC out.

Our own thin layer instead of the SDK's server: a fifth of the CPU per call, and any number of processes without a
session between them (docs/internals/decisions.md). The conformance suite and the real clients judge it.
"""
