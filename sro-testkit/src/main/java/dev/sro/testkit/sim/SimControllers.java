package dev.sro.testkit.sim;

import dev.sro.testkit.VirtualClock;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Gvr;
import java.util.Set;

/** Puts the simulated machines and controllers into a cluster. */
public final class SimControllers {
    private static final Set<Gvr> TYPES = Set.of(
            Gvr.NODES,
            Gvr.PODS,
            Gvr.DAEMONSETS,
            Gvr.REPLICASETS,
            Gvr.DEPLOYMENTS,
            Gvr.STATEFULSETS,
            Gvr.JOBS,
            Gvr.PODDISRUPTIONBUDGETS,
            Gvr.SERVICES,
            Gvr.RESOURCECLAIMS,
            Gvr.RESOURCECLAIMTEMPLATES,
            Gvr.RESOURCESLICES,
            Gvr.DEVICECLASSES,
            Gvr.BUILDCONFIGS,
            Gvr.BUILDS,
            Gvr.IMAGESTREAMS,
            Gvr.IMAGESTREAMTAGS);

    private SimControllers() {}

    /** Installs with the default timings, an own registry, and seed 1. */
    public static Simulation install(ClusterApi api, VirtualClock clock) {
        return install(api, clock, new SimRegistry(), SimTimings.DEFAULTS, 1);
    }

    /**
     * Installs all simulated controllers.
     *
     * @param seed of the only random thing, the ends of generated names: equal histories with equal seeds give equal clusters
     * @return the handle; whoever drives the cluster calls its {@link Simulation#work} after writes and timers
     */
    public static Simulation install(
            ClusterApi api, VirtualClock clock, SimRegistry registry, SimTimings timings, long seed) {
        return install(api, clock, registry, timings, seed, false);
    }

    static Simulation install(
            ClusterApi api,
            VirtualClock clock,
            SimRegistry registry,
            SimTimings timings,
            long seed,
            boolean devicesOptional) {
        SimLoop loop = new SimLoop(api, clock);
        Machines machines = new Machines();
        Behaviors behaviors = new Behaviors();
        NodeFiles files = new NodeFiles();
        Hashes hashes = new Hashes(seed);
        ClusterApi manager = api.as("kube-controller-manager");
        ClusterApi kubeletApi = api.as("kubelet");
        SimDra dra = new SimDra(kubeletApi, loop);
        SimLogs logs = new SimLogs();
        Kubelet kubelet = new Kubelet(kubeletApi, loop, timings, registry, behaviors, machines, files, dra, logs);
        dra.kubelet(kubelet);
        NodeLifecycle lifecycle = new NodeLifecycle(kubeletApi, loop, timings, machines, kubelet::nodeRebooted);
        loop.add(lifecycle);
        loop.add(new PodEviction(manager, loop, timings));
        loop.add(new ResourceClaimController(manager, loop));
        loop.add(new Scheduler(api.as("kube-scheduler"), loop, devicesOptional));
        loop.add(kubelet);
        Revisions revisions = new Revisions(manager);
        loop.add(new DaemonSetController(manager, loop, hashes, revisions));
        loop.add(new ReplicaSetController(manager, loop, hashes));
        loop.add(new StatefulSetController(manager, loop, revisions));
        loop.add(new DeploymentController(manager, loop));
        loop.add(new DisruptionController(manager, loop));
        loop.add(new EndpointSliceController(manager, loop));
        loop.add(new JobController(manager, loop, timings, hashes));
        BuildController builds = new BuildController(api.as("openshift-controller-manager"), loop, registry);
        loop.add(builds);
        registry.onPush(image -> loop.post(() -> kubelet.imagePushed(image)));
        loop.start(TYPES);
        SimNodes nodes = new SimNodes(kubeletApi, loop, timings, machines, lifecycle, kubelet::nodeBack);
        return new Simulation(loop, timings, nodes, registry, behaviors, files, logs, kubelet, builds, dra);
    }
}
