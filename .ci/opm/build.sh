#!/usr/bin/env bash
# Builds the opm that catalogues are made with, to hold bundles against it: bundles are rendered, and the catalogue that they make, with
# its graph of updates, is validated. Prints its path.
#
# Needs Go 1.26, or Go 1.21 and newer where it may fetch 1.26. The first build takes two to five minutes on two cores. Without SQLite, GPG and Docker's storage, which
# catalogues of files need not.
exec "$(dirname "$0")/../go-tool.sh" opm github.com/operator-framework/operator-registry \
  github.com/operator-framework/operator-registry/cmd/opm SRO_OPM 1 github.com/operator-framework/operator-registry/cmd/opm/version.opmVersion \
  -tags containers_image_openpgp,exclude_graphdriver_btrfs,exclude_graphdriver_devicemapper
