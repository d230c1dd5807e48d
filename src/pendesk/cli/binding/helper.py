"""The command with which a client asks for the headers of each connection, so that no file it reads holds a secret.

`pendesk headers` where pendesk is on the PATH, on every system. Only where it is not there at all (127) a POSIX shell
reads the token itself: what `pendesk headers` refuses must not be given another way.
"""

FALLBACK = (
    '[ $? -eq 127 ] && t="$(printenv PENDESK_MCP_TOKEN || cat .pendesk/token 2>/dev/null || '
    """cat "$(git rev-parse --show-toplevel)/.pendesk/token")" && printf '{"Authorization": "Bearer %s"}' "$t\""""
)
HELPER = f"pendesk headers || ({FALLBACK})"
# A hook must not disturb the session that it starts with.
CONTEXT = "pendesk context || true"
