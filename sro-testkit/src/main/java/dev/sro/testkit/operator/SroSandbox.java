package dev.sro.testkit.operator;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.client.ClientOperator;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.plan.Plan;
import dev.sro.core.plugin.Plugins;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.sim.SimNodes;
import dev.sro.testkit.sim.SimRegistry;
import dev.sro.testkit.sim.Simulation;
import dev.sro.testkit.sim.SimulationFactory;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stepped cluster with simulated nodes and controllers, the CRD, and an SRO operator on the real fabric8 client. Nothing
 * happens by itself: {@link #settle} lets everything happen that can happen now, {@link #runUntil} lets time pass too.
 *
 * <p>Not thread-safe: for one test on one thread.
 */
public final class SroSandbox extends OperatorSettings implements AutoCloseable {

    /** Far more turns than any scenario needs; reaching it means that operator and cluster never come to rest. */
    private static final int MAX_TURNS = 10_000;

    private int maxTurns = MAX_TURNS;

    private final EmbeddedCluster cluster;
    private final Simulation simulation;
    private final KubernetesClient admin;
    private final Plugins plugins;
    private final SandboxDefinitions definitions;
    private final ClusterApi api;

    private @Nullable OfferedDevices devices;
    private @Nullable OperatorProcess process;
    /** One that did not see yet that another one has taken over. */
    private @Nullable OperatorProcess former;

    private SroSandbox(EmbeddedCluster cluster, Simulation simulation, ClusterApi api, Plugins plugins) {
        this.cluster = cluster;
        this.api = api;
        this.simulation = simulation;
        this.admin = cluster.client();
        this.plugins = plugins;
        this.definitions = new SandboxDefinitions(cluster, admin);
        relistAfter(Duration.ZERO);
        driverImages(new SimulatedLooks(simulation.registry()));
    }

    /** A vanilla Kubernetes cluster with these plugins; the operator is running. */
    public static SroSandbox create(AcceleratorPlugin... plugins) {
        return create(false, Plugins.of(plugins));
    }

    /** Like {@link #create(AcceleratorPlugin...)}, on a cluster that serves OpenShift's APIs. */
    public static SroSandbox createOpenShift(AcceleratorPlugin... plugins) {
        return create(true, Plugins.of(plugins));
    }

    /** With plugins from wherever. */
    public static SroSandbox create(boolean openShift, Plugins plugins) {
        return create(EmbeddedCluster.builder().openShift(openShift), plugins);
    }

    /** On a cluster that is configured by the caller; it must be stepped and without simulated controllers. */
    public static SroSandbox create(EmbeddedCluster.Builder builder, AcceleratorPlugin... plugins) {
        return create(builder, Plugins.of(plugins));
    }

    /** The same with plugins from wherever. */
    public static SroSandbox create(EmbeddedCluster.Builder builder, Plugins plugins) {
        return create(builder, plugins, sandbox -> {});
    }

    /**
     * The same with settings for its first operator: who gives it plugins that it closes, as those of a {@link
     * dev.sro.core.plugin.PluginHost}, cannot start another one for them.
     *
     * @param settings asked once, before the operator starts
     */
    public static SroSandbox create(
            EmbeddedCluster.Builder builder, Plugins plugins, Consumer<? super SroSandbox> settings) {
        Simulation[] installed = new Simulation[1];
        ClusterApi[] seen = new ClusterApi[1];
        EmbeddedCluster cluster = builder.controller((api, clock) -> {
                    seen[0] = api;
                    installed[0] = new SimulationFactory().devicesOptional().create(api, clock);
                    return installed[0];
                })
                .build();
        SroSandbox sandbox = new SroSandbox(cluster, installed[0], seen[0], plugins);
        sandbox.definitions.install("specialresources");
        settings.accept(sandbox);
        sandbox.start();
        return sandbox;
    }

    /** The cluster. */
    public EmbeddedCluster cluster() {
        return cluster;
    }

    /** The simulated machines, registry and behaviours. */
    public Simulation simulation() {
        return simulation;
    }

    /** The simulated nodes. */
    public SimNodes nodes() {
        return simulation.nodes();
    }

    /** The images that simulated nodes can pull and SRO finds: all, unless {@link SimRegistry#onlyPushed} says otherwise. */
    public SimRegistry registry() {
        return simulation.registry();
    }

    /** The administrator's client. */
    public KubernetesClient client() {
        return admin;
    }

    /**
     * Makes the cluster serve a kind whose objects may have any field: for objects of operators that are not there. Does nothing
     * where it is served already. The plural is as in URLs.
     */
    public SroSandbox serve(String group, String version, String kind, String plural, boolean namespaced) {
        definitions.serve(group, version, kind, plural, namespaced);
        return this;
    }

    /**
     * From now on nodes offer what device plugins would: where the DaemonSets of a state are ready, what the state waits for by {@link
     * dev.sro.api.ReadinessRule#allocatable} (as much as the node's {@code status.capacity} has, if that is more) or {@link
     * dev.sro.api.ReadinessRule#allocatableAsLabelled}, and none of it when they are not. A node that offers enough by itself ({@code NodeProfile.withResource}) is left alone.
     */
    public SroSandbox offerDevices() {
        if (devices == null) {
            devices = new OfferedDevices(api, cluster.newClient("kubelet"), this::states);
        }
        return this;
    }

    /** What shall exist for all special resources; nothing is known while no operator runs. */
    private Optional<List<DesiredState>> states() {
        return operator()
                .map(running -> admin.resources(SpecialResource.class).list().getItems().stream()
                        .flatMap(resource -> running.engine().preview(resource).states().stream())
                        .toList());
    }

    /** Makes the cluster serve a kind as its project defines it; one that is there already stays. */
    public SroSandbox define(CustomResourceDefinition definition) {
        definitions.define(definition);
        return this;
    }

    @Override
    SroSandbox self() {
        return this;
    }

    @Override
    KubernetesClient administrator() {
        return admin;
    }

    @Override
    void install(String definition) {
        definitions.install(definition);
    }

    /** The operator that is running. */
    public Optional<ClientOperator> operator() {
        return Optional.ofNullable(process).map(OperatorProcess::operator);
    }

    /** How many turns {@link #settle} gives operator and cluster to come to rest; 10,000 unless set. */
    public SroSandbox maxTurns(int turns) {
        maxTurns = turns;
        return this;
    }

    /** Whether an operator is running. */
    public boolean isRunning() {
        return process != null;
    }

    /**
     * Starts an operator, if none runs.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server does not answer; a platform would
     *     start the process again
     */
    public void start() {
        if (process == null) {
            process = new OperatorProcess(cluster, plugins, token(), adjustments());
        }
    }

    /**
     * Starts another operator while the one that runs goes on, as one does that did not see yet that its lease ran out. {@link
     * #endFormer} ends that; {@link #kill} ends both.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server does not answer; the one that runs goes on
     *     alone
     */
    public void takeOver() {
        endFormer();
        OperatorProcess next = new OperatorProcess(cluster, plugins, token(), adjustments());
        former = process;
        process = next;
    }

    /** Of two operators, the one that was there first dies. */
    public void endFormer() {
        OperatorProcess ending = former;
        former = null;
        if (ending != null) {
            ending.close();
        }
    }

    /** The operator dies at once: its memory, its queue and its watches are lost. */
    public void kill() {
        endFormer();
        OperatorProcess running = process;
        process = null;
        if (running != null) {
            running.close();
        }
    }

    /** The times that timers of the running operator wait for, in order; empty if none runs. */
    public List<Instant> pendingTimers() {
        OperatorProcess running = process;
        return running == null ? List.of() : running.pendingTimers();
    }

    /**
     * How many tasks the running operator has done since it was started: reconciles, and what it looks up in the background. At rest
     * there are few. 0 if none runs.
     */
    public long workDone() {
        OperatorProcess running = process;
        return running == null ? 0 : running.workDone();
    }

    /** Creates or updates a special resource from YAML, as a user would. */
    public SpecialResource apply(String yaml) {
        SpecialResource resource = admin.getKubernetesSerialization().unmarshal(yaml, SpecialResource.class);
        return admin.resource(resource).serverSideApply();
    }

    /** The special resource as it is stored. */
    public Optional<SpecialResource> get(String name) {
        return Optional.ofNullable(
                admin.resources(SpecialResource.class).withName(name).get());
    }

    /** The one line of its status that says how far it is and what it waits for; empty while there is none. */
    public String state(String name) {
        return get(name)
                .map(SpecialResource::getStatus)
                .map(SpecialResourceStatus::getState)
                .orElse("");
    }

    /** A preview of the operator's next reconcile. */
    public Optional<Plan> plan(String name) {
        return operator().flatMap(running -> running.engine().plan(name));
    }

    /** Whether the special resource has condition Ready=True for its present generation. */
    public boolean isReady(String name) {
        return get(name).filter(SroSandbox::isReady).isPresent();
    }

    private static boolean isReady(SpecialResource resource) {
        SpecialResourceStatus status = resource.getStatus();
        return status != null
                && resource.getMetadata().getGeneration().equals(status.getObservedGeneration())
                && status.getConditions().stream()
                        .anyMatch(c -> "Ready".equals(c.getType()) && "True".equals(c.getStatus()));
    }

    /** Lets cluster and operator do everything that they can do without time passing. */
    public void settle() {
        for (int turn = 0; turn < maxTurns; turn++) {
            cluster.settle();
            boolean worked = works(former);
            worked |= works(process);
            if (!worked && !(devices != null && devices.work())) {
                return;
            }
        }
        throw new IllegalStateException("operator and cluster did not come to rest after " + maxTurns + " turns");
    }

    private static boolean works(@Nullable OperatorProcess running) {
        return running != null && running.work();
    }

    /**
     * Lets time pass, from one due timer to the next, until the condition holds.
     *
     * @param limit how much virtual time may pass
     * @return whether the condition came to hold
     */
    public boolean runUntil(Duration limit, BooleanSupplier condition) {
        Instant end = cluster.clock().instant().plus(limit);
        settle();
        while (!condition.getAsBoolean()) {
            Optional<Instant> next = cluster.clock().nextDue();
            if (next.isEmpty() || next.get().isAfter(end)) {
                return false;
            }
            Duration step = Duration.between(cluster.clock().instant(), next.get());
            cluster.advance(step.isNegative() ? Duration.ZERO : step);
            settle();
        }
        return true;
    }

    /**
     * Lets time pass until the special resource is Ready.
     *
     * @param limit how much virtual time may pass
     * @throws AssertionError if it is not Ready by then; the message says which state waits in which pool, and for what
     */
    public void awaitReady(String name, Duration limit) {
        if (!runUntil(limit, () -> isReady(name))) {
            throw new AssertionError("not Ready after " + limit + ": " + explain(name));
        }
    }

    /** How far a special resource is, state by state, and what each waits for: lines for a person who finds out why. */
    public String explain(String name) {
        return SandboxStatus.text(name, get(name));
    }

    /** Lets this much time pass. */
    public void run(Duration time) {
        Instant end = cluster.clock().instant().plus(time);
        runUntil(time, () -> false);
        Duration rest = Duration.between(cluster.clock().instant(), end);
        if (!rest.isNegative()) {
            cluster.advance(rest);
        }
        settle();
    }

    /** Stops the operator and the cluster. */
    @Override
    public void close() {
        kill();
        cluster.close();
    }
}
