# No address of a registry or a host, and no path of somebody's machine. Allowed: papers, licences,
# this machine itself, the name space that SVG files must state, and the first words of a Git LFS
# pointer, which readers must know.
source "$(dirname "$0")/report.sh"

allowed='(arxiv\.org|aclanthology\.org|doi\.org|openreview\.net|transformer-circuits\.pub|apache\.org|opensource\.org|w3\.org|127\.0\.0\.1|localhost|example\.(com|org))'
verdict 'addresses that are neither a paper nor a licence' \
  "$(git grep -nIE '(https?|ftp|ssh|git)://' -- "${PROSE[@]}" ':!tests/hygiene' |
     grep -vE "https?://([a-z0-9-]+\.)*$allowed" | grep -vE 'version https://git-lfs|://\{args\.host\}' || true)"
verdict 'paths of one machine' \
  "$(git grep -nIE '(^|[^A-Za-z0-9_.$}])/(root|home|work|Users|opt)/' -- "${PROSE[@]}" ':!tests/hygiene' || true)"
verdict 'addresses in lock files' "$(git grep -nIE '"resolved"|https?://' -- '*package-lock.json' | grep -vE '"url": "https?://[^"]*(opencollective|patreon|tidelift|github|paypal)[^"]*"' || true)"
exit "$failed"
