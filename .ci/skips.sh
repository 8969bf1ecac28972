#!/usr/bin/env bash
# Tells which tests were skipped, by the reports that they wrote, and fails if one was for a reason that .ci/skips does not have.
set -euo pipefail
cd "$(dirname "$0")/.."

allowed() {
  local variable text reason
  while IFS='|' read -r variable text reason; do
    if [[ -n "$variable" && "$variable" != \#* && "$1" == "$text"* && -z "${!variable:-}" ]]; then
      return 0
    fi
  done < .ci/skips
  return 1
}

failed=0
while read -r count message; do
  if allowed "$message"; then
    echo "$count skipped: $message"
  else
    echo "$count skipped for a reason that .ci/skips does not have: ${message:-(none given)}" >&2
    failed=1
  fi
done < <(find . -path '*/target/surefire-reports/TEST-*.xml' -exec grep -ho '<skipped[^>]*' {} + \
  | sed 's/^<skipped//; s/^ message="//; s/".*$//; s#/$##' | sort | uniq -c)
exit "$failed"
