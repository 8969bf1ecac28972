#!/usr/bin/env bash
# Builds the command that is kubelet's own code for dynamic resource allocation, which the node agent is held against. Prints its path.
#
# Needs Go 1.26, or Go 1.21 and newer where it may fetch 1.26. The first build takes some minutes on two cores.
exec "$(dirname "$0")/../go-tool.sh" kubelet-plugins k8s.io/kubernetes . SRO_KUBELET_PLUGINS 1 main.version
