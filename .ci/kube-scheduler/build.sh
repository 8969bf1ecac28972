#!/usr/bin/env bash
# Builds a kube-scheduler of the next minor version, which slices are held against beside the control plane's own. Prints its path.
#
# Needs Go 1.26, or Go 1.21 and newer where it may fetch 1.26. The first build takes five minutes on two cores.
exec "$(dirname "$0")/../go-tool.sh" kube-scheduler k8s.io/kubernetes k8s.io/kubernetes/cmd/kube-scheduler \
  SRO_KUBE_SCHEDULER 1 k8s.io/component-base/version.gitVersion
