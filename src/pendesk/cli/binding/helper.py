"""The command that a client runs to get the headers of each connection, so that no file it reads holds a secret.

It is `pendesk headers` on every system. Only if pendesk is not on the PATH at all (127) a POSIX shell reads the
token itself: what `pendesk headers` refuses must not be handed out another way. On Linux it adds the mark of the
process, if that is Claude Code, as `process_mark` computes it; the other marks need pendesk.
"""

_READ_BEARER = (
    "printenv PENDESK_MCP_TOKEN || cat .pendesk/token 2>/dev/null || "
    'cat "$(git rev-parse --show-toplevel)/.pendesk/token"'
)
_HASH_PROCESS = (
    "{ p=$PPID; grep -qx claude /proc/$p/comm && s=$(sed 's/.*) //' /proc/$p/stat | cut -d' ' -f20) && "
    'printf %s "$(cat /proc/sys/kernel/random/boot_id) $(readlink /proc/self/ns/pid) $p $s" | '
    "sha256sum | cut -c1-32; } 2>/dev/null"
)
_PRINT_JSON = """printf '{"Authorization": "Bearer %s"%s}' "$t" "${m:+, \\"X-Pendesk-Process\\": \\"$m\\"}\""""
FALLBACK = f'[ $? -eq 127 ] && t="$({_READ_BEARER})" && {{ m="$({_HASH_PROCESS})"; {_PRINT_JSON}; }}'
HEADERS_COMMAND = f"pendesk headers || ({FALLBACK})"
# A hook must not disturb the session that it starts with. What the client passes on stdin is read by the command.
CONTEXT_COMMAND = "pendesk context || true"
