#!/usr/bin/env bash
# disk.sh DIRECTORY GUEST KUBELET: root.img, the disk of a node: the guest's root with what makes it a node of the rig.
set -euo pipefail
out=$1 guest=$2 kubelet=$3
files=$(cd "$(dirname "$0")" && pwd)/guest
root=$out/root
trap 'tail -n 40 "$out/log"' ERR
cp -a "$guest/root" "$root"
run() {
  chroot "$root" "$@" >> "$out/log" 2>&1
}
cp -a "$files/root/." "$root/"
chown -R 0:0 "$root/etc" "$root/usr/local"
chmod 755 "$root"/usr/local/bin/rig-*
install -m 755 "$kubelet/kubelet" "$root/usr/local/bin/kubelet"
mkdir -p "$root"/etc/{kubernetes/manifests,cdi,rig}
: > "$root/etc/resolv.conf"
: > "$root/etc/fstab"
rm -f "$root/etc/hostname"
run systemctl enable rig-network.service rig-registry.service rig-agent.service kubelet.service containerd.service
run systemctl set-default multi-user.target
for unit in getty@tty1.service serial-getty@ttyS0.service systemd-timesyncd.service systemd-logind.service systemd-pstore.service \
  apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer fstrim.timer systemd-networkd-wait-online.service; do
  ln -sfn /dev/null "$root/etc/systemd/system/$unit"
done
# Room for images and builds; it takes what it holds.
mke2fs -q -F -t ext4 -O ^metadata_csum_seed,^orphan_file -d "$root" "$out/root.img" 10G 2>> "$out/log" \
  || mke2fs -q -F -t ext4 -d "$root" "$out/root.img" 10G 2>> "$out/log"
rm -rf --one-file-system "$root"
