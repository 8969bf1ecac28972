#!/usr/bin/env bash
# Builds the krew that the manifest of a release is tried with. Prints its path.
#
# Needs Go 1.26, or Go 1.21 and newer where it may fetch 1.26. The first build takes a minute on two cores.
exec "$(dirname "$0")/../go-tool.sh" krew sigs.k8s.io/krew sigs.k8s.io/krew/cmd/krew SRO_KREW 1 sigs.k8s.io/krew/internal/version.gitTag
