/**
 * Real nodes for tests: machines under QEMU with kernels of a distribution, systemd, containerd, runc and a kubelet, on a control plane
 * of {@code testkit.controlplane}, with a registry and git over HTTP beside them. In: the directory that {@code .ci/real-node/build.sh}
 * makes, and {@code @RealNode} on a test. Out: machines that are started, rebooted into another kernel, switched off, cut from the
 * network, and asked for their modules, files and logs; or a test that is skipped, with the reason.
 *
 * <p>And kubelets of this machine, in namespaces of its kernel, which run pods within seconds and know no other kernel. In: the directory that
 * {@code .ci/real-node/here.sh} makes, and {@code @RealKubelet} on a test. Out: a cluster whose pods really run, with a registry.
 */
@NullMarked
package dev.sro.testkit.node;

import org.jspecify.annotations.NullMarked;
