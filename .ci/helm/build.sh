#!/usr/bin/env bash
# Builds the helm command that rendering is compared with. Prints its path, where HelmTemplateTest looks.
#
# Needs Go 1.26, or Go 1.21 and newer where it may fetch 1.26. The first build takes five minutes on two cores.
exec "$(dirname "$0")/../go-tool.sh" helm helm.sh/helm/v3 helm.sh/helm/v3/cmd/helm SRO_HELM 1 helm.sh/helm/v3/internal/version.version
