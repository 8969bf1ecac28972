/**
 * A real Kubernetes control plane for tests: etcd, kube-apiserver, kube-controller-manager, kube-scheduler and KWOK as processes on
 * the loopback interface, or a cluster that a kubeconfig names. In: binaries or a kubeconfig, and {@code @RealControlPlane} on a
 * test. Out: a client, a namespace for the test alone, nodes without machines; or a test that is skipped, with the reason.
 */
@NullMarked
package dev.sro.testkit.controlplane;

import org.jspecify.annotations.NullMarked;
