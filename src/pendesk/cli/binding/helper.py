"""The command that a client runs to get the headers of each connection, so that no file it reads holds a secret.

It is `pendesk headers` on every system. Only if pendesk is not on the PATH at all (127) a POSIX shell reads the
token itself: what `pendesk headers` refuses must not be handed out another way.
"""

FALLBACK = (
    '[ $? -eq 127 ] && t="$(printenv PENDESK_MCP_TOKEN || cat .pendesk/token 2>/dev/null || '
    """cat "$(git rev-parse --show-toplevel)/.pendesk/token")" && printf '{"Authorization": "Bearer %s"}' "$t\""""
)
HEADERS_COMMAND = f"pendesk headers || ({FALLBACK})"
# A hook must not disturb the session that it starts with.
CONTEXT_COMMAND = "pendesk context || true"
