module dev.sro/ci/probe

go 1.26.0
