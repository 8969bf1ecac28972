#!/usr/bin/env bash
# rig.sh DIRECTORY GUEST DISK IMAGES: one directory with links to what a run needs, and the key that an API server shows to kubelets.
set -euo pipefail
out=$1 guest=$2 disk=$3 images=$4
for file in "$disk"/root.img "$guest"/kernels "$guest"/vmlinuz-* "$guest"/initrd-*; do
  ln -s "$file" "$out/$(basename "$file")"
done
ln -s "$images/registry" "$out/registry"
openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj /CN=rig -keyout "$out/authority.key" -out "$out/kubelet-clients.crt" 2> /dev/null
openssl req -newkey rsa:2048 -nodes -subj /O=system:masters/CN=kube-apiserver -keyout "$out/apiserver.key" -out "$out/apiserver.csr" 2> /dev/null
openssl x509 -req -in "$out/apiserver.csr" -CA "$out/kubelet-clients.crt" -CAkey "$out/authority.key" -CAcreateserial -days 3650 -out "$out/apiserver.crt" 2> /dev/null
rm -f "$out/authority.key" "$out/apiserver.csr" "$out"/*.srl
chmod 600 "$out/apiserver.key"
