package dev.sro.testkit.embed;

import dev.sro.core.embed.OperatorExecutors;
import dev.sro.core.embed.OperatorPart;
import dev.sro.core.embed.SpecialResourceOperator;
import dev.sro.core.embed.SpecialResourceOperatorBuilder;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.VirtualClock;
import dev.sro.testkit.operator.KmodPlugin;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Recording;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** Operators of embedders on one stepped cluster, each with a client and threads of its own. For one test on one thread. */
final class SteppedDoors implements AutoCloseable {

    private static final int MAX_TURNS = 10_000;

    private final SroSandbox sandbox = SroSandbox.create(new KmodPlugin());
    private final EmbeddedCluster cluster = sandbox.cluster();
    private final List<ArrayDeque<Runnable>> queues = new ArrayList<>();
    private final List<Runnable> open = new ArrayList<>();

    SteppedDoors() {
        // Only those of the test.
        sandbox.kill();
        installRecipeRights();
        cluster.recording().start();
    }

    /** What whoever installs an operator does for it. */
    private void installRecipeRights() {
        sandbox.client()
                .resource(new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName("special-resource-operator-recipes")
                        .endMetadata()
                        .withRules(SpecialResourceOperator.builder().rights().recipes())
                        .build())
                .create();
    }

    SroSandbox sandbox() {
        return sandbox;
    }

    /** Starts one; its requests are recorded by this name. */
    SpecialResourceOperator start(String userAgent, UnaryOperator<SpecialResourceOperatorBuilder> options) {
        ArrayDeque<Runnable> work = new ArrayDeque<>();
        queues.add(work);
        KubernetesClient client = cluster.newClient(userAgent);
        VirtualClock clock = cluster.clock();
        SpecialResourceOperator operator = options.apply(SpecialResourceOperator.builder()
                        .client(client)
                        .plugins(new KmodPlugin())
                        .clock(clock)
                        .executors(new OperatorExecutors(
                                work::add,
                                work::add,
                                Optional.empty(),
                                (delay, task) -> clock.after(delay, task)::cancel))
                        .without(OperatorPart.CHARTS, OperatorPart.DRIVER_IMAGES, OperatorPart.EVENTS))
                .start();
        open.add(operator::close);
        open.add(client::close);
        return operator;
    }

    /** Special resource with the label example.com/operator on nodes with a label of its own name. */
    void apply(String name, String operator) {
        sandbox.apply(yaml(name, operator));
    }

    private static String yaml(String name, String operator) {
        String labels = operator.isEmpty() ? "{}" : "{example.com/operator: " + operator + "}";
        return """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: %1$s, labels: %2$s}
            spec:
              namespace: %1$s
              plugin: {name: kmod}
              nodeSelector: {example.com/%1$s: "true"}
            """.formatted(name, labels);
    }

    List<Recording.Entry> writes(String userAgent) {
        return cluster.recording().entries(entry -> entry.userAgent().equals(userAgent) && entry.isWrite());
    }

    private void settle() {
        for (int turn = 0; turn < MAX_TURNS; turn++) {
            cluster.settle();
            boolean worked = false;
            for (ArrayDeque<Runnable> work : queues) {
                for (Runnable next = work.poll(); next != null; next = work.poll()) {
                    next.run();
                    worked = true;
                }
            }
            if (!worked) {
                return;
            }
        }
        throw new IllegalStateException("operators and cluster did not come to rest");
    }

    boolean runUntil(Duration limit, BooleanSupplier condition) {
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

    /** Lets so much time pass. */
    void run(Duration time) {
        runUntil(time, () -> false);
    }

    @Override
    public void close() {
        open.forEach(Runnable::run);
        sandbox.close();
    }
}
