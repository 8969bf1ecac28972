#!/usr/bin/env bash
# Builds the kubectl that the command lines of the documentation are run with. Prints its path.
#
# Needs Go 1.26, or Go 1.21 and newer where it may fetch 1.26. The first build takes two minutes on two cores.
exec "$(dirname "$0")/../go-tool.sh" kubectl k8s.io/kubectl . SRO_KUBECTL 1 k8s.io/component-base/version.gitVersion
