/**
 * The public face of the testkit: an embedded Kubernetes cluster for tests, demos and simulations. In: objects that a test
 * creates, faults, steps of the virtual clock. Out: a real Kubernetes client, the state of the cluster, a recording of requests.
 */
@NullMarked
package dev.sro.testkit;

import org.jspecify.annotations.NullMarked;
