package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.testkit.server.Controller;
import java.util.Optional;

/**
 * The handle on the simulated part of a cluster: what machines there are, which images exist, how containers behave. Made by
 * {@link SimControllers#install}. Thread-safe, except that {@link #work} must not be called concurrently.
 */
public final class Simulation implements Controller {
    private final SimLoop loop;
    private final SimTimings timings;
    private final SimNodes nodes;
    private final SimRegistry registry;
    private final Behaviors behaviors;
    private final NodeFiles files;
    private final SimLogs logs;
    private final Kubelet kubelet;
    private final BuildController builds;
    private final SimDra dra;

    Simulation(
            SimLoop loop,
            SimTimings timings,
            SimNodes nodes,
            SimRegistry registry,
            Behaviors behaviors,
            NodeFiles files,
            SimLogs logs,
            Kubelet kubelet,
            BuildController builds,
            SimDra dra) {
        this.loop = loop;
        this.timings = timings;
        this.nodes = nodes;
        this.registry = registry;
        this.behaviors = behaviors;
        this.files = files;
        this.logs = logs;
        this.kubelet = kubelet;
        this.builds = builds;
        this.dra = dra;
    }

    /** The machines. */
    public SimNodes nodes() {
        return nodes;
    }

    /** The images that can be pulled. */
    public SimRegistry registry() {
        return registry;
    }

    /** The behaviour of containers. */
    public Behaviors behaviors() {
        return behaviors;
    }

    /** The files that containers leave on the machines. */
    public NodeFiles files() {
        return files;
    }

    /** The drivers that prepare claims on the machines. */
    public SimDra dra() {
        return dra;
    }

    /** The logs of containers. */
    public SimLogs logs() {
        return logs;
    }

    @Override
    public Optional<String> podLog(JsonNode pod, String container) {
        String written = logs.read(pod, container);
        return Optional.of(written.isEmpty() ? kubelet.says(JsonNodes.key(pod), container) : written);
    }

    /** The durations of the simulation. */
    public SimTimings timings() {
        return timings;
    }

    /**
     * Ends the running containers of a pod as a failed liveness probe would; they start again if their restart policy says so.
     *
     * @param container the name of one container, or empty for all
     */
    public void restartContainers(String namespace, String pod, String container) {
        loop.post(() -> kubelet.kill(namespace + "/" + pod, container));
    }

    /** Starts an OpenShift build by hand, as {@code oc start-build} does. */
    public void startBuild(String namespace, String buildConfig) {
        loop.post(() -> builds.start(namespace, buildConfig));
    }

    /** Does everything that can be done without time passing. Returns whether there was anything to do. */
    public boolean runUntilIdle() {
        return work();
    }

    @Override
    public boolean work() {
        return loop.work();
    }
}
