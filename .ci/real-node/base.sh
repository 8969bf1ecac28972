#!/usr/bin/env bash
# base.sh DIRECTORY MIRROR: a small Debian, which the node's root and the images are made of, with the lists of packages of that moment.
set -euo pipefail
out=$1 mirror=$2
release=trixie
trap 'cat "$out/log"' ERR
debootstrap --variant=minbase "$release" "$out/root" "$mirror/debian" > "$out/log" 2>&1
root=$out/root
cat > "$root/etc/apt/sources.list" << SOURCES
deb $mirror/debian $release main
deb $mirror/debian $release-updates main
deb $mirror/debian-security $release-security main
deb $mirror/debian $release-backports main
SOURCES
cat > "$root/etc/dpkg/dpkg.cfg.d/small" << 'DPKG'
path-exclude=/usr/share/doc/*
path-exclude=/usr/share/man/*
path-exclude=/usr/share/info/*
path-exclude=/usr/share/locale/*
path-exclude=/usr/share/i18n/*
path-exclude=/usr/share/lintian/*
DPKG
cat > "$root/etc/apt/apt.conf.d/small" << 'APT'
APT::Install-Recommends "0";
Acquire::Languages "none";
APT::Sandbox::User "root";
APT
rm -rf "$root"/usr/share/{doc,man,info,locale,i18n,lintian}/*
cp /etc/resolv.conf "$root/etc/resolv.conf"
chroot "$root" apt-get update >> "$out/log" 2>&1
rm -f "$root"/var/cache/apt/archives/*.deb
