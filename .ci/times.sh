#!/usr/bin/env bash
# Tells what the tests of each module took, by the reports that they wrote, and which classes took longest. Two JVMs share the classes
# of a module, so these are more seconds than went by.
set -euo pipefail
cd "$(dirname "$0")/.."

times=$(find . -path '*/target/surefire-reports/TEST-*.xml' -exec awk -F'"' '
  /<testsuite / {
    module = FILENAME
    sub(/^\.\//, "", module)
    sub(/\/target\/.*/, "", module)
    for (i = 1; i < NF; i += 2) {
      if ($i ~ / time=$/) time = $(i + 1)
      if ($i ~ / name=$/) name = $(i + 1)
      if ($i ~ / tests=$/) tests = $(i + 1)
    }
    gsub(/,/, "", time)
    printf "%s %s %d %.1f\n", module, name, tests, time
    nextfile
  }' {} +)
echo 'Seconds in tests:'
awk '{ tests[$1] += $3; time[$1] += $4 } END { for (m in time) printf "%8.1f  %s, %d tests\n", time[m], m, tests[m] }' <<< "$times" \
  | sort -rn
echo 'The longest:'
sort -k4 -rn <<< "$times" | awk 'NR <= 8 { printf "%8.1f  %s\n", $4, $2 }'
