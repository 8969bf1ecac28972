#!/usr/bin/env bash
# Builds kube-router, whose firewall has NetworkPolicies in force on the nodes of KubeletCluster. Prints its path.
#
# Needs Go 1.26, or Go 1.21 and newer where it may fetch 1.26. The first build takes three minutes on two cores. To run, it takes root,
# iptables and ipset.
exec "$(dirname "$0")/../go-tool.sh" kube-router github.com/cloudnativelabs/kube-router/v2 \
  github.com/cloudnativelabs/kube-router/v2/cmd/kube-router SRO_KUBE_ROUTER 1 github.com/cloudnativelabs/kube-router/v2/pkg/version.Version
