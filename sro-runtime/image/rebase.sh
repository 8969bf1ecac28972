#!/usr/bin/env bash
# Puts an image onto another base: the layers of SRO, which are for every machine, on those of a base for another architecture, or of
# newer packages. Nothing is built or fetched.
#
# usage: rebase.sh [--add FILE=PATH]... IMAGE.tar BASE.tar OUT.tar
#   FILE=PATH   a program of this machine that the image gets at a path, such as helm-arm64=/usr/bin/helm
#   IMAGE.tar   as the build or build.sh makes it, on a base of base.sh
#   BASE.tar    as base.sh makes it
#   OUT.tar     for docker load, skopeo and crane; index.sh makes one of several
#
# An archive of classes that build.sh added is left out: it is of the other Java. Needs jq. Equal files make an equal one.
set -euo pipefail
export LC_ALL=C TZ=UTC
umask 022

fail() {
  echo "rebase: $*" >&2
  exit 1
}

added=()
while [ "${1:-}" = --add ]; do
  [[ ${2:-} == ?*=/?* ]] || fail "--add FILE=PATH, not ${2:-nothing}"
  added+=("$2")
  shift 2
done
[ $# -eq 3 ] || fail "usage: rebase.sh [--add FILE=PATH]... IMAGE.tar BASE.tar OUT.tar"
image=$1 base=$2 out=$(realpath -m "$3")
command -v jq > /dev/null || fail "there is no jq"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/image" "$work/base" "$work/out" "$work/layer"
for file in "$image" "$base"; do [ -f "$file" ] || fail "there is no $file"; done
tar -xf "$image" -C "$work/image"
tar -xf "$base" -C "$work/base"
config_of() {
  echo "$work/$1/$(jq -r '.[0].Config' "$work/$1/manifest.json")"
}
before=$(config_of image) below=$(config_of base)
[ "$(jq -r '.history[0].created_by // ""' "$before")" = sro-runtime/image/base.sh ] || fail "$image is not on a base of base.sh"
[ "$(jq -r '[.history[] | select(.created_by == "sro-runtime/image/base.sh")] | length' "$below")" = 1 ] || fail "$base is no base of base.sh"
mapfile -t layers < <(jq -r '.[0].Layers[]' "$work/image/manifest.json")
mapfile -t own < <(jq -r '.[0].Layers[]' "$work/base/manifest.json")
mapfile -t makers < <(jq -r '.history[] | select(.empty_layer | not) | .created_by // ""' "$before")
[ ${#makers[@]} -eq ${#layers[@]} ] || fail "$image has ${#layers[@]} layers and tells of ${#makers[@]}"

archive() {
  # Jib takes no "./".
  (cd "$1" && tar --sort=name --mtime=@1 --owner=0 --group=0 --numeric-owner --format=gnu -cf "$2" -- *)
}
gzip -n -6 -c "$work/base/${own[0]}" > "$work/first"
first=$(sha256sum "$work/first" | cut -d' ' -f1).tar.gz
mv "$work/first" "$work/out/$first"
kept=("$first")
numbers=()
for i in "${!layers[@]}"; do
  case ${makers[$i]} in
    sro-runtime/image/base.sh | sro-runtime/image/build.sh) ;;
    *)
      mkdir -p "$(dirname "$work/out/${layers[$i]}")"
      cp "$work/image/${layers[$i]}" "$work/out/${layers[$i]}"
      kept+=("${layers[$i]}")
      numbers+=("$i")
      ;;
  esac
done
more=
if [ ${#added[@]} -gt 0 ]; then
  for each in "${added[@]}"; do
    [ -f "${each%%=*}" ] || fail "there is no ${each%%=*}"
    mkdir -p "$(dirname "$work/layer${each#*=}")"
    install -m 755 "${each%%=*}" "$work/layer${each#*=}"
  done
  archive "$work/layer" "$work/more.tar"
  more=sha256:$(sha256sum "$work/more.tar" | cut -d' ' -f1)
  gzip -n -6 "$work/more.tar"
  last=$(sha256sum "$work/more.tar.gz" | cut -d' ' -f1).tar.gz
  mv "$work/more.tar.gz" "$work/out/$last"
  kept+=("$last")
fi
# Of the base all but how it starts, of the image that; and of both what their layers are.
jq -cS --slurpfile base "$below" --argjson kept "$(printf '%s\n' "${numbers[@]}" | jq -sc .)" --arg more "$more" '
  ([.history[] | select(.empty_layer | not)]) as $told | .rootfs.diff_ids as $ids
  | .architecture = $base[0].architecture
  | .config.Labels = (.config.Labels + $base[0].config.Labels)
  | .config.Entrypoint |= map(select(test("SharedArchiveFile") | not))
  | .rootfs.diff_ids = ($base[0].rootfs.diff_ids + [$kept[] as $i | $ids[$i]] + (if $more == "" then [] else [$more] end))
  | .history = ($base[0].history + [$kept[] as $i | $told[$i]]
      + (if $more == "" then [] else [{created: $base[0].created, created_by: "sro-runtime/image/rebase.sh"}] end))' "$before" > "$work/config"
config=$(sha256sum "$work/config" | cut -d' ' -f1).json
mv "$work/config" "$work/out/$config"
jq -cS --arg config "$config" --args '.[0].Config = $config | .[0].Layers = $ARGS.positional' "${kept[@]}" \
  < "$work/image/manifest.json" > "$work/out/manifest.json"
mkdir -p "$(dirname "$out")"
archive "$work/out" "$out"
echo "rebase: $(jq -r '.[0].RepoTags[0]' "$work/out/manifest.json") for $(jq -r .architecture "$below"), ${#kept[@]} layers, $(($(stat -c %s "$out") >> 20)) MiB: $out"
