#!/usr/bin/env bash
# push.sh REGISTRY < LIST: makes an image of one uncompressed layer of each directory, and puts it into the files of a registry.
# LIST has a line per image: DIRECTORY NAME:TAG[,NAME:TAG...] CONFIGURATION, the last in JSON.
set -euo pipefail
files=$1
work=$(mktemp -d)
blobs=$files/docker/registry/v2/blobs/sha256
repositories=$files/docker/registry/v2/repositories
trap 'rm -rf "$work"' EXIT

# blob FILE: puts it among the blobs; prints its digest without the algorithm
blob() {
  local digest
  digest=$(sha256sum "$1" | cut -d' ' -f1)
  mkdir -p "$blobs/${digest:0:2}/$digest"
  mv "$1" "$blobs/${digest:0:2}/$digest/data"
  echo "$digest"
}

# link FILE DIGEST
link() {
  mkdir -p "$(dirname "$1")"
  printf 'sha256:%s' "$2" > "$1"
}

while read -r directory names configuration; do
  tar --xattrs --xattrs-include=security.capability -C "$directory" --numeric-owner --sort=name --mtime=@0 -cf "$work/layer" .
  layer_size=$(stat -c %s "$work/layer")
  layer=$(blob "$work/layer")
  [[ $configuration == *'"Env"'* ]] || configuration=${configuration%\}},'"Env":["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]}'
  printf '{"architecture":"amd64","os":"linux","config":%s,"rootfs":{"type":"layers","diff_ids":["sha256:%s"]},"history":[{"created_by":"a directory"}]}' \
    "$configuration" "$layer" > "$work/config"
  config_size=$(stat -c %s "$work/config")
  config=$(blob "$work/config")
  media=application/vnd.oci.image
  printf '{"schemaVersion":2,"mediaType":"%s.manifest.v1+json","config":{"mediaType":"%s.config.v1+json","digest":"sha256:%s","size":%d},"layers":[{"mediaType":"%s.layer.v1.tar","digest":"sha256:%s","size":%d}]}' \
    "$media" "$media" "$config" "$config_size" "$media" "$layer" "$layer_size" > "$work/manifest"
  manifest=$(blob "$work/manifest")
  for name in ${names//,/ }; do
    repository=$repositories/${name%:*}
    link "$repository/_layers/sha256/$layer/link" "$layer"
    link "$repository/_layers/sha256/$config/link" "$config"
    link "$repository/_manifests/revisions/sha256/$manifest/link" "$manifest"
    link "$repository/_manifests/tags/${name##*:}/current/link" "$manifest"
    link "$repository/_manifests/tags/${name##*:}/index/sha256/$manifest/link" "$manifest"
  done
  echo "$names: $((layer_size >> 20)) MiB"
done
