package dev.sro.testkit.sim;

import dev.sro.testkit.VirtualClock;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Controller;
import org.jspecify.annotations.Nullable;

/**
 * Puts a {@link Simulation} into an embedded cluster that is being built, and hands it out afterwards:
 *
 * <pre>{@code
 * var simulated = new SimulationFactory().timings(SimTimings.DEFAULTS.withNfdLag(Duration.ZERO));
 * var cluster = EmbeddedCluster.builder().controller(simulated).build();
 * simulated.simulation().nodes().create("worker-0", NodeProfile.of(OsRelease.UBUNTU_22));
 * }</pre>
 *
 * <p>Makes one simulation, for one cluster. Not thread-safe.
 */
public final class SimulationFactory implements Controller.Factory {
    private SimRegistry registry = new SimRegistry();
    private SimTimings timings = SimTimings.DEFAULTS;
    private long seed = 1;
    private boolean devicesOptional;
    private @Nullable Simulation simulation;

    /** The images that exist; default: all but those of OpenShift's internal registry. */
    public SimulationFactory registry(SimRegistry images) {
        registry = images;
        return this;
    }

    /** How long things take; default {@link SimTimings#DEFAULTS}. */
    public SimulationFactory timings(SimTimings times) {
        timings = times;
        return this;
    }

    /** Fixes generated names; default 1. */
    public SimulationFactory seed(long value) {
        seed = value;
        return this;
    }

    /**
     * Pods with claims are scheduled without devices as long as nobody has published a ResourceSlice: for clusters whose drivers of
     * devices are containers that nobody runs. Default: they wait, as on a real cluster.
     */
    public SimulationFactory devicesOptional() {
        devicesOptional = true;
        return this;
    }

    @Override
    public Simulation create(ClusterApi api, VirtualClock clock) {
        if (simulation != null) {
            throw new IllegalStateException("this factory has made its simulation already");
        }
        Simulation made = SimControllers.install(api, clock, registry, timings, seed, devicesOptional);
        simulation = made;
        return made;
    }

    /**
     * The simulation.
     *
     * @throws IllegalStateException before the cluster is built
     */
    public Simulation simulation() {
        Simulation made = simulation;
        if (made == null) {
            throw new IllegalStateException("the cluster has not been built yet");
        }
        return made;
    }
}
