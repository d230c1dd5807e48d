"""Pendesk: a self-hosted work server for coding agents."""

__version__ = "0.1.0"
