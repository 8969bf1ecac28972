#!/usr/bin/env bash
# Makes one image of several for different architectures: an archive in OCI's layout with one name, of which each machine pulls its own.
#
# usage: index.sh OUT.tar IMAGE.tar...
#   OUT.tar     for skopeo copy --all oci-archive:OUT.tar docker://…, and for crane and oras
#   IMAGE.tar   one for each architecture, as the build, build.sh and rebase.sh make it
#
# Needs jq. Equal images make an equal file.
set -euo pipefail
export LC_ALL=C TZ=UTC
umask 022

fail() {
  echo "index: $*" >&2
  exit 1
}

[ $# -ge 2 ] || fail "usage: index.sh OUT.tar IMAGE.tar..."
out=$(realpath -m "$1")
shift
command -v jq > /dev/null || fail "there is no jq"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/out/blobs/sha256"

# blob FILE TYPE: puts a file among the blobs and prints its descriptor
blob() {
  local digest
  digest=$(sha256sum "$1" | cut -d' ' -f1)
  cp "$1" "$work/out/blobs/sha256/$digest"
  jq -cnS --arg type "$2" --arg digest "sha256:$digest" --argjson size "$(stat -Lc %s "$1")" '{mediaType: $type, digest: $digest, size: $size}'
}

seen=" "
name=
for image in "$@"; do
  [ -f "$image" ] || fail "there is no $image"
  parts=$work/parts
  rm -rf "$parts"
  mkdir "$parts"
  tar -xf "$image" -C "$parts"
  config=$parts/$(jq -r '.[0].Config' "$parts/manifest.json")
  architecture=$(jq -r .architecture "$config")
  [[ $seen != *" $architecture "* ]] || fail "$image is for $architecture, and so is another one"
  seen+="$architecture "
  name=${name:-$(jq -r '.[0].RepoTags[0]' "$parts/manifest.json")}
  layers=()
  while read -r layer; do
    type=application/vnd.oci.image.layer.v1.tar
    [ "$(head -c 2 "$parts/$layer" | od -An -tx1 | tr -d ' ')" != 1f8b ] || type+=+gzip
    layers+=("$(blob "$parts/$layer" "$type")")
  done < <(jq -r '.[0].Layers[]' "$parts/manifest.json")
  printf '%s\n' "${layers[@]}" | jq -cS -s --argjson config "$(blob "$config" application/vnd.oci.image.config.v1+json)" \
    '{schemaVersion: 2, mediaType: "application/vnd.oci.image.manifest.v1+json", config: $config, layers: .}' > "$work/manifest"
  blob "$work/manifest" application/vnd.oci.image.manifest.v1+json \
    | jq -cS --arg architecture "$architecture" '. + {platform: {os: "linux", architecture: $architecture}}' >> "$work/manifests"
done
index='{schemaVersion: 2, mediaType: "application/vnd.oci.image.index.v1+json", manifests: .}'
jq -cS -s "$index" "$work/manifests" > "$work/all"
blob "$work/all" application/vnd.oci.image.index.v1+json | jq -cS --arg tag "${name##*:}" --arg name "$name" \
  '. + {annotations: {"org.opencontainers.image.ref.name": $tag, "io.containerd.image.name": $name}}' | jq -cS -s "$index" > "$work/out/index.json"
echo '{"imageLayoutVersion":"1.0.0"}' > "$work/out/oci-layout"
mkdir -p "$(dirname "$out")"
(cd "$work/out" && tar --sort=name --mtime=@1 --owner=0 --group=0 --numeric-owner --format=gnu -cf "$out" -- *)
echo "index: $name for$seen$(($(stat -c %s "$out") >> 20)) MiB: $out"
