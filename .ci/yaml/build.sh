#!/usr/bin/env bash
# Builds the command that reads YAML as Kubernetes' own tools do, which our reading is compared with. Prints its path.
#
# Needs Go 1.26, or Go 1.21 and newer where it may fetch 1.26. The first build takes some seconds.
exec "$(dirname "$0")/../go-tool.sh" yaml sigs.k8s.io/yaml . SRO_YAML 1 main.version
