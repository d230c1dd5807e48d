"""Signing in at an OpenID provider, where the settings name one."""
