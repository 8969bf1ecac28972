package dev.sro.testkit.simulation;

import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.ApiServer;
import dev.sro.testkit.server.Gvr;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A random history of about nine special resources that concern each other. Each step draws from a source of its own, so that
 * a history without some of its steps is the same in all others, and can be made shorter until nothing is in it but what fails.
 * Equal seeds give equal histories.
 */
final class OracleHistory implements AutoCloseable {

    private static final int FEWEST_STEPS = 6;
    private static final int MORE_STEPS = 12;

    /** Null for all types: the API server restarts. */
    private static final List<@Nullable Gvr> WATCHED = Collections.unmodifiableList(
            Arrays.asList(null, Gvr.NODES, Gvr.PODS, Gvr.DAEMONSETS, Gvr.DEPLOYMENTS, OracleWorld.SPECIAL_RESOURCES));

    /**
     * Real time: far more than a client needs to watch again, which it does after milliseconds, on a machine that has time for it. What
     * it does not watch any more is waited for in vain, for so long after the last watch that it opened.
     */
    private static final long WATCH_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    private final long seed;
    private final Set<Integer> left;
    private final OracleCharts.Shelf shelf;
    private final OracleWorld world;
    private Random random;
    private final OracleNodeSteps nodes;
    private final OracleFaultSteps faults;
    private final OracleUserSteps users;
    private final OracleRightSteps rights;
    private final boolean limited;
    private final @Nullable OracleFeatureSteps features;

    /**
     * A history that did not begin yet.
     *
     * @param left numbers of steps that are left out
     * @param registry makes it a wide one, with preflights, modules, builds, webhooks, clocks that are set and two operators at a time
     */
    OracleHistory(
            long seed,
            Set<Integer> left,
            OracleCharts.Shelf shelf,
            @Nullable OracleRegistry registry,
            boolean limited,
            KubernetesSerialization serialization) {
        this.limited = limited;
        this.seed = seed;
        this.left = left;
        this.shelf = shelf;
        this.random = new Random(seed);
        this.world = new OracleWorld(seed, shelf, registry, limited, serialization);
        this.nodes = new OracleNodeSteps(world, random);
        this.faults = new OracleFaultSteps(world, random);
        this.users = new OracleUserSteps(world, random);
        this.rights = new OracleRightSteps(world);
        this.features = registry == null ? null : new OracleFeatureSteps(world, registry, shelf, random);
    }

    OracleWorld world() {
        return world;
    }

    /** How many steps a history has. */
    static int steps(long seed) {
        return FEWEST_STEPS + new Random(seed).nextInt(MORE_STEPS);
    }

    /** Lives through it, up to and without the calm at its end. */
    void live() {
        int steps = steps(seed);
        for (int number = 0; number < steps; number++) {
            draw(number);
            if (!left.contains(number)) {
                world.log.add(number + ":");
                try {
                    if (number < 2) {
                        begin();
                    } else {
                        step();
                    }
                } catch (KubernetesClientException | ApiException e) {
                    // A webhook refuses what users do, too.
                    world.log.add("refused: " + e.getMessage());
                }
                world.pass(pause());
            }
        }
    }

    /** Faults stop; nobody restarts anything. */
    void calmDown() {
        draw(-1);
        if (features != null) {
            features.end();
        }
        faults.end();
        rights.end();
    }

    private void draw(long number) {
        random = new Random(seed * 1_000_003L + number);
        nodes.draw(random);
        faults.draw(random);
        users.draw(random);
        if (features != null) {
            features.draw(random);
        }
    }

    private Duration pause() {
        return switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> Duration.ofMillis(random.nextInt(500));
            case 4, 5, 6 -> Duration.ofMillis(random.nextInt(10_000));
            case 7, 8 -> Duration.ofSeconds(random.nextInt(120));
            default -> Duration.ofMinutes(random.nextInt(30));
        };
    }

    private void begin() {
        nodes.createNode();
        nodes.createNode();
        world.recipe(1);
        for (String name : world.resourceNames()) {
            if (random.nextInt(4) == 0) {
                apply(name);
            }
        }
    }

    private void step() {
        if (features != null && random.nextInt(3) == 0) {
            features.step();
            return;
        }
        switch (random.nextInt(limited ? 48 : 42)) {
            case 0 -> nodes.createNode();
            case 1 -> nodes.deleteNode();
            case 2, 3 -> nodes.reboot();
            case 4, 5 -> nodes.label();
            case 6 -> nodes.foreignEditOfNode();
            case 7, 8, 9, 10, 11 -> apply(anyName());
            case 12, 13 -> delete(anyName());
            case 14 -> deleteAndApply(anyName());
            case 15 -> annotate(anyName());
            case 16, 17 -> recipe();
            case 18, 19 -> faults.chart();
            case 20 -> faults.image();
            case 21 -> faults.behave();
            case 22, 23, 24 -> faults.fault();
            case 25 -> faults.die();
            case 26 -> faults.restart();
            case 27, 28 -> dropWatches();
            case 29 -> users.deleteOperand();
            case 30 -> users.foreignEditOfOperand();
            case 31 -> faults.clearFaults();
            case 32 -> childByHand();
            case 33, 34 -> faults.definition();
            case 35 -> faults.plugins();
            case 36 -> faults.silence();
            case 37 -> users.deleteNamespace();
            case 38 -> users.editStatus(anyName());
            case 39, 40 -> users.useDevice();
            case 42, 43, 44, 45, 46, 47 -> rights.step(random);
            default -> applySeveral();
        }
    }

    private String anyName() {
        List<String> names = world.resourceNames();
        return names.get(random.nextInt(names.size()));
    }

    private void apply(String name) {
        String yaml = new OracleResources(shelf.folder(), random, limited).draw(name);
        world.log.add("apply " + name + "\n" + yaml.indent(6).stripTrailing());
        applyYaml(yaml);
    }

    private void applyYaml(String yaml) {
        try {
            world.sandbox.apply(yaml);
        } catch (KubernetesClientException e) {
            world.log.add("refused: " + e.getMessage());
        }
    }

    private void applySeveral() {
        for (int i = 0; i < 3; i++) {
            apply(anyName());
        }
    }

    private void delete(String name) {
        world.log.add("delete " + name);
        world.sandbox.client().resources(SpecialResource.class).withName(name).delete();
    }

    private void deleteAndApply(String name) {
        delete(name);
        world.pass(Duration.ofMillis(random.nextInt(3_000)));
        apply(name);
    }

    private void annotate(String name) {
        boolean dependencies = random.nextBoolean();
        world.log.add((dependencies ? "annotate " : "label ") + name);
        world.sandbox
                .get(name)
                .ifPresent(unused -> world.sandbox
                        .client()
                        .resources(SpecialResource.class)
                        .withName(name)
                        .edit(resource -> {
                            if (dependencies) {
                                resource.getMetadata()
                                        .setAnnotations(
                                                Map.of("sro.dev/delete-dependencies", "" + random.nextBoolean()));
                            } else {
                                resource.getMetadata().setLabels(Map.of("team", "t" + random.nextInt(3)));
                            }
                            return resource;
                        }));
    }

    private void recipe() {
        if (random.nextInt(3) == 0) {
            world.log.add("delete the recipe");
            world.sandbox
                    .client()
                    .configMaps()
                    .inNamespace("recipe")
                    .withName("recipe")
                    .delete();
        } else {
            int version = 1 + random.nextInt(2);
            world.log.add("recipe " + version);
            world.recipe(version);
        }
    }

    /** Watches end, things happen that nobody sees, and some of it is forgotten before the client watches again. */
    private void dropWatches() {
        Gvr type = WATCHED.get(random.nextInt(WATCHED.size()));
        boolean forget = random.nextInt(3) > 0;
        world.log.add("watches end: " + (type == null ? "all" : type.plural()) + (forget ? ", forgotten" : ""));
        ApiServer server = world.sandbox.cluster().server();
        int open = server.openWatches(null);
        server.dropWatches(type);
        int unseen = random.nextInt(3);
        for (int i = 0; i < unseen; i++) {
            switch (random.nextInt(5)) {
                case 0 -> nodes.createNode();
                case 1 -> nodes.label();
                case 2 -> apply(anyName());
                case 3 -> delete(anyName());
                default -> users.deleteOperand();
            }
        }
        if (forget) {
            server.forgetHistory(type);
        }
        watchAgain(open);
    }

    /** The client waits in real time before it watches again; what it does not watch any more, it does not. */
    private void watchAgain(int watches) {
        SroSandbox sandbox = world.sandbox;
        sandbox.cluster().advance(OracleWorld.SLOWEST_WATCH);
        int open = sandbox.cluster().server().openWatches(null);
        long progress = System.nanoTime();
        while (open < watches && System.nanoTime() - progress < WATCH_AGAIN_NANOS) {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
            sandbox.cluster().settle();
            int now = sandbox.cluster().server().openWatches(null);
            progress = now == open ? progress : System.nanoTime();
            open = now;
        }
    }

    /** The user makes, changes or deletes what parents made. */
    private void childByHand() {
        switch (random.nextInt(3)) {
            case 0 -> delete("base");
            case 1 -> delete("middle");
            default -> {
                world.log.add("the user makes base");
                applyYaml("""
                    apiVersion: sro.openshift.io/v1beta1
                    kind: SpecialResource
                    metadata: {name: base}
                    spec: {namespace: base, chart: %s}
                    """.formatted(OracleResources.reference(shelf.folder(), "base", "1.0.0")));
            }
        }
    }

    @Override
    public void close() {
        world.close();
    }
}
