#!/usr/bin/env bash
# guest.sh DIRECTORY BASE: what a node's disk is made of, and two kernels of the distribution with what each needs to find that disk.
#   root                      Debian with containerd, runc, kmod, and the modules of both kernels
#   kernels                   their names, the older one first
#   vmlinuz-NAME initrd-NAME
set -euo pipefail
out=$1 base=$2
files=$(cd "$(dirname "$0")" && pwd)/guest
root=$out/root
trap 'tail -n 40 "$out/log"' ERR
cp -a "$base/root" "$root"
run() {
  DEBIAN_FRONTEND=noninteractive chroot "$root" "$@" >> "$out/log" 2>&1
}
run apt-get install -y systemd systemd-sysv containerd runc containernetworking-plugins kmod iproute2 procps iptables ca-certificates busybox-static

# The two newest kernels of the release that modules can be built for: their packages alone, without what they ask for.
series=$(chroot "$root" apt-cache -t trixie depends linux-image-cloud-amd64 | awk '$1 == "Depends:" && $2 ~ /^linux-image-/ { print $2; exit }' \
  | sed -E 's/^linux-image-([0-9]+\.[0-9]+).*/\1/')
for image in $(chroot "$root" apt-cache search "^linux-headers-$series.*-cloud-amd64$" | cut -d' ' -f1 | sed 's/^linux-headers-/linux-image-/' | sort -V | tail -n 2); do
  name=${image#linux-image-}
  run bash -c "cd /tmp && apt-get download $image"
  package=("$root"/tmp/"$image"_*.deb)
  dpkg-deb -x "${package[0]}" "$out/kernel"
  mkdir -p "$root/usr/lib/modules"
  modules=$out/kernel/usr/lib/modules
  [[ -d $modules ]] || modules=$out/kernel/lib/modules
  # What no such machine has.
  rm -rf "$modules/$name"/kernel/{sound,drivers/gpu,drivers/media,drivers/infiniband,drivers/scsi,drivers/net/ethernet,fs/{btrfs,xfs,f2fs,ocfs2,ceph,smb,nfs,nfsd,gfs2}}
  cp -a "$modules/$name" "$root/usr/lib/modules/$name"
  chroot "$root" depmod "$name"
  mv "$out/kernel/boot/vmlinuz-$name" "$out/"
  echo "$name" >> "$out/kernels"
  rm -rf "$out/kernel" "${package[0]}"

  # An initial file system with the modules of the disk.
  initrd=$out/initrd
  mkdir -p "$initrd"/{bin,dev,proc,sys,root,mod}
  cp "$root/usr/bin/busybox" "$initrd/bin/" || cp "$root/bin/busybox" "$initrd/bin/"
  ln -s busybox "$initrd/bin/sh"
  number=100
  for wanted in virtio_pci virtio_blk ext4 crc32c_generic; do
    chroot "$root" modprobe -S "$name" -D "$wanted" 2>> "$out/log" | awk '$1 == "insmod" { print $2 }' || true
  done | awk '!seen[$0]++' > "$out/insmod"
  while read -r module; do
    number=$((number + 1))
    target=$initrd/mod/$number-$(basename "$module" .xz)
    case $module in
      *.xz) xz -dc "$root$module" > "$target" ;;
      *) cp "$root$module" "$target" ;;
    esac
  done < "$out/insmod"
  install -m 755 "$files/init" "$initrd/init"
  (cd "$initrd" && find . | cpio --quiet -o -H newc | gzip -1) > "$out/initrd-$name"
  rm -rf "$initrd" "$out/insmod"
done

rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/usr/share/{perl,perl5} "$root"/usr/lib/python3*
