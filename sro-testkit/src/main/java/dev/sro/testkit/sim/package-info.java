/**
 * The simulated machines and controllers of an embedded cluster: nodes with their kubelets, scheduler, and the workload
 * controllers (DaemonSet, ReplicaSet, Deployment, StatefulSet, Job, OpenShift Build). In: changes of objects, timers of the
 * virtual clock, and what a test asks for through {@link dev.sro.testkit.sim.Simulation} (a reboot, a missing image, a crash).
 * Out: the objects and status that a real cluster would show. Level-triggered, deterministic, without threads of its own; the
 * cost of an event depends on what changed and not on the size of the cluster.
 */
@NullMarked
package dev.sro.testkit.sim;

import org.jspecify.annotations.NullMarked;
