#!/usr/bin/env bash
# Builds the command that says what the Operator Framework's validators find in a bundle, which ours are held against. Prints its path.
#
# Needs Go 1.26, or Go 1.21 and newer where it may fetch 1.26. The first build takes a minute or two.
exec "$(dirname "$0")/../go-tool.sh" bundle-validator github.com/operator-framework/api . SRO_BUNDLE_VALIDATOR 1 main.version
