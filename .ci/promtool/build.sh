#!/usr/bin/env bash
# Builds the promtool that checks our rules and runs their unit tests. Prints its path.
#
# Needs Go 1.26, or Go 1.21 and newer where it may fetch 1.26. The first build takes five minutes on two cores.
# Without the discovery of targets in clouds: rules need none of it, and it is most of what there is to compile.
exec "$(dirname "$0")/../go-tool.sh" promtool github.com/prometheus/prometheus github.com/prometheus/prometheus/cmd/promtool \
  SRO_PROMTOOL 1 github.com/prometheus/common/version.Version- -tags remove_all_sd
