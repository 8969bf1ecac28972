#!/usr/bin/env bash
# Does what the tutorials of docs/tutorials say, as their readers would: each in an empty folder, with the unpacked archive of a release
# alone and its commands as they stand in the page, one after the other; what the page has to be written by hand is written first. Says
# for each how many commands and lines it took, and how long. Fails when a command does, when the last line is not the one that the page
# promises, above five commands or ten minutes; and when the archive is slow to start or to install its artifacts.
#
# Needs the archive: ./mvnw -Prelease -DskipTests package makes it with all the rest of a release; with -Dmaven.test.skip=true
# -Dmaven.source.skip=true -Dmaven.javadoc.skip=true -pl sro-runtime/release -am and the classes of a build it takes half a minute.
# The one thing done for the reader: what goes into ~/.m2/repository goes into a repository that is thrown away, whose tail is that one.
set -euo pipefail
cd "$(dirname "$0")/.."
home=$PWD

most_commands=5
most_seconds=600
most_install_ms=90000
# The goal is 500 ms, on a machine that does nothing else.
most_start_ms=1500
# Until the first terminal says what is waited for.
most_wait_seconds=180

work=$(mktemp -d)
running=()
# Whatever is left of a tutorial: each terminal is a process group.
end_terminals() {
  local terminal
  for terminal in "${running[@]}"; do
    kill -- "-$terminal" 2> /dev/null || true
    wait "$terminal" 2> /dev/null || true
  done
  running=()
}
trap 'end_terminals; rm -rf "$work"' EXIT

fail() {
  echo "tutorials: $*" >&2
  exit 1
}

now_ms() {
  echo $(($(date +%s%N) / 1000000))
}

seconds() {
  printf '%d.%d s' $(($1 / 1000)) $(($1 % 1000 / 100))
}

# The blocks of a page that its reader writes into files, each named by its first line.
written_here() {
  awk -v folder="$2" '
    /^```yaml$/ { inside = 1; file = ""; next }
    /^```$/ { inside = 0; next }
    inside && file == "" { file = folder "/" ($0 ~ /^# [a-z-]+\.yaml$/ ? substr($0, 3) : "") }
    inside && file != folder "/" { print > file }' "$1"
}

# The n-th block below a heading of a page: $1 the page, $2 the anchor of the heading, $3 the number.
block_below() {
  awk -v anchor="$2" -v number="$3" '
    /^#+ / && !inside { text = tolower($0); sub(/^#+ /, "", text); gsub(/[^a-z0-9 -]/, "", text); gsub(/ /, "-", text); here = text == anchor; next }
    /^```/ && !inside { inside = 1; if (here) at++; next }
    /^```$/ { inside = 0; next }
    inside && here && at == number { print; found = 1 }
    END { exit !found }' "$1" || fail "$1 has no block $3 below #$2"
}

# The files that the reader copies from other pages: rows of a table with file, block and heading.
copied() {
  local page=$1 folder=$2 file number link
  sed -nE 's/^\| `([^`]+)` \| block ([0-9]+) of \[[^]]*\]\(([^)]+)\) \|$/\1 \2 \3/p' "$page" | while read -r file number link; do
    mkdir -p "$(dirname "$folder/$file")"
    block_below "$(dirname "$page")/${link%#*}" "${link#*#}" "$number" > "$folder/$file"
  done
}

# The commands of a page, or what it promises: the block of a language that comes first behind the mark.
marked() {
  awk -v language="$2" '
    /^<!-- the tutorial:/ { marked = 1 }
    marked && $0 == "```" language { inside = 1; next }
    inside && $0 == "```" { exit }
    inside { print; found = 1 }
    END { exit !found }' "$1" || fail "$1 has no block of $2 behind its mark"
}

# Runs commands in the folder of a tutorial, and says how long each took. $1 the folder, $2 the terminal's output, $3 the times.
terminal() {
  local folder=$1 output=$2 times=$3 line begun
  shift 3
  cd "$folder"
  for line in "$@"; do
    begun=$(now_ms)
    PATH="$work/bin:$PATH" timeout --foreground "$most_seconds" bash -c "$line" >> "$output" 2>&1 || {
      echo "tutorials: this ends with $?: $line" >> "$output"
      return 1
    }
    echo "$(($(now_ms) - begun)) $line" >> "$times"
  done
}

# Waits until the first terminal says what the page has the reader wait for.
await_text() {
  local text=$1 output=$2 tries
  for ((tries = 0; tries < most_wait_seconds * 5; tries++)); do
    ! grep -qF "$text" "$output" || return 0
    kill -0 "${running[0]}" 2> /dev/null || return 1
    sleep 0.2
  done
  return 1
}

tutorial() {
  local page=$1 name folder first=() second=() awaited='' line promised begun took ended=1 lines count ms
  name=$(basename "$page" .md)
  folder=$work/$name/folder
  mkdir -p "$folder"
  written_here "$page" "$folder"
  copied "$page" "$folder"
  lines=$(find "$folder" -type f -exec cat {} + | wc -l)
  while IFS= read -r line; do
    case "$line" in
      '# in a second terminal'*) awaited=$(sed -E 's/.*"(.*)".*/\1/' <<< "$line") ;;
      '#'* | '') ;;
      *) if [ -n "$awaited" ]; then second+=("$line"); else first+=("$line"); fi ;;
    esac
  done <<< "$(marked "$page" sh)"
  promised=$(marked "$page" text)
  count=$((${#first[@]} + ${#second[@]}))
  [ "$count" -gt 0 ] && [ "$count" -le "$most_commands" ] || fail "$page has $count commands, of $most_commands"
  # Each of them begins with an archive that never ran.
  rm -f "$app"/classes-*.jsa
  touch "$work/$name/1" "$work/$name/2" "$work/$name/times"
  begun=$(now_ms)
  set -m
  terminal "$folder" "$work/$name/1" "$work/$name/times" "${first[@]}" &
  running=($!)
  if [ -n "$awaited" ]; then
    await_text "$awaited" "$work/$name/1" || fail "$page: the first terminal does not say \"$awaited\": $(tail -n 20 "$work/$name/1")"
    terminal "$folder" "$work/$name/2" "$work/$name/times" "${second[@]}" &
    running+=($!)
  fi
  set +m
  # One of the two goes on until Ctrl-C.
  wait -n -p ended "${running[@]}" || fail "$page: $(tail -n 30 "$work/$name/1" "$work/$name/2")"
  took=$(($(now_ms) - begun))
  line=1
  [ "$ended" = "${running[0]}" ] || line=2
  end_terminals
  [[ "$(grep . "$work/$name/$line" | tail -n 1)" == *"$promised" ]] \
    || fail "$page promises \"$promised\", and this is printed: $(tail -n 5 "$work/$name/$line")"
  echo "tutorials: $name: $count commands, $lines lines written, $(seconds "$took")"
  while read -r ms line; do
    echo "  $(seconds "$ms")  $line"
    [[ "$line" != 'sro install-artifacts'* ]] || [ "$ms" -lt "$most_install_ms" ] || fail "artifacts are installed in $(seconds "$ms")"
  done < "$work/$name/times"
  for line in "${first[@]}" "${second[@]}"; do
    grep -qF " $line" "$work/$name/times" || echo "  until Ctrl-C  $line"
  done
  [ "$took" -lt $((most_seconds * 1000)) ] || fail "$page takes $(seconds "$took")"
}

# The archive, unpacked, and the commands that readers have: Maven is that of the wrapper.
unpack() {
  local archive=$1 begun first best later=()
  mkdir "$work/archive" "$work/bin"
  tar -xzf "$archive" -C "$work/archive"
  app=$(echo "$work"/archive/sro-*)
  cat > "$work/bin/sro" << SH
#!/bin/sh
if [ "\${1:-}" = install-artifacts ]; then
  set -- "\$@" --repository '$work/repository'
fi
exec '$app/bin/sro' "\$@"
SH
  cat > "$work/bin/mvn" << SH
#!/bin/sh
exec '$home/mvnw' -B -ntp '-Dmaven.repo.local=$work/repository' -Dmaven.repo.local.tail.ignoreAvailability=true \\
  '-Dmaven.repo.local.tail=${SRO_MAVEN_REPOSITORY:-$HOME/.m2/repository}' "\$@"
SH
  chmod +x "$work/bin/sro" "$work/bin/mvn"
  begun=$(now_ms)
  "$app/bin/sro" --version > /dev/null || fail "the archive does not run"
  first=$(($(now_ms) - begun))
  # The best of three: the machine does other things, too.
  for _ in 1 2 3; do
    begun=$(now_ms)
    "$app/bin/sro" --version > /dev/null
    later+=($(($(now_ms) - begun)))
  done
  echo "tutorials: the archive starts in ${later[*]} ms; the first time, when it makes its class archive, in $first ms"
  best=$(printf '%s\n' "${later[@]}" | sort -n | sed -n 1p)
  [ "$best" -le "$most_start_ms" ] || fail "the archive takes $best ms to start, of $most_start_ms"
}

version=$(awk 'match($0, /<version>[^<]+/) { print substr($0, RSTART + 9, RLENGTH - 9); exit }' pom.xml)
archive=${1:-sro-runtime/release/target/release/sro-$version.tar.gz}
[ -f "$archive" ] || fail "there is no $archive: run ./mvnw -Prelease -DskipTests package first"
unpack "$archive"
for page in "$home"/docs/tutorials/*.md; do
  tutorial "$page"
done
