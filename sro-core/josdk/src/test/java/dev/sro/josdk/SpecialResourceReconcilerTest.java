package dev.sro.josdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.embed.SpecialResourceOperator;
import dev.sro.plugins.simplekmod.SimpleKmodPlugin;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The SDK itself, unchanged, on the embedded cluster. */
class SpecialResourceReconcilerTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration STEP = Duration.ofMillis(500);

    private static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: simple-kmod}
        spec:
          namespace: simple-kmod
          plugin: {name: simple-kmod}
          set:
            kind: Values
            apiVersion: sro.openshift.io/v1beta1
            kmodNames: [simple-kmod]
            buildArgs: [{name: KMODVER, value: SRO}]
          driverContainer:
            source: {git: {ref: main, uri: "https://git.example.com/kvc-simple-kmod.git"}}
        """;

    private final SroSandbox sandbox = SroSandbox.create();
    private final KubernetesClient client = sandbox.cluster().newClient("josdk");
    private SpecialResourceReconciler reconciler = reconciler();
    private Operator sdk = sdk();

    private SpecialResourceReconciler reconciler() {
        return SpecialResourceReconciler.of(
                SpecialResourceOperator.builder().client(client).plugins(new SimpleKmodPlugin()));
    }

    private Operator sdk() {
        return new Operator(options -> options.withKubernetesClient(client).withCloseClientOnStop(false));
    }

    private void start() {
        reconciler = reconciler();
        sdk = sdk();
        sdk.register(reconciler);
        sdk.start();
    }

    @BeforeEach
    void startAlone() {
        // Only the one of the SDK.
        sandbox.kill();
        sandbox.nodes().create("worker", NodeProfile.of(OsRelease.UBUNTU_22));
        start();
    }

    @AfterEach
    void stop() {
        sdk.stop();
        client.close();
        sandbox.close();
    }

    /** The threads of the SDK are its own, so the cluster's time goes on while they work. */
    private void await(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime())
                    .as(() -> what + "; " + sandbox.state("simple-kmod"))
                    .isLessThan(end);
            sandbox.cluster().advance(STEP);
            Thread.sleep(5);
        }
    }

    private List<DaemonSet> daemonSets() {
        return client.apps().daemonSets().inAnyNamespace().list().getItems();
    }

    @Test
    void bringsASpecialResourceToReadyFollowsItsChangesAndTakesItAway() throws InterruptedException {
        assertThat(reconciler.operator().orElseThrow().switchedOff())
                .as("it has all parts")
                .isEmpty();
        sandbox.apply(RESOURCE);
        await("it is ready", () -> sandbox.isReady("simple-kmod"));

        sandbox.nodes().create("second", NodeProfile.of(OsRelease.RHEL_9));
        await("each of two kernels has its drivers", () -> daemonSets().size() == 4);
        await("it is ready again", () -> sandbox.isReady("simple-kmod"));

        SpecialResource changed = sandbox.apply(RESOURCE.replace("value: SRO", "value: SRO-2"));
        await(
                "the status is of the change",
                () -> sandbox.get("simple-kmod")
                        .map(SpecialResource::getStatus)
                        .filter(status -> changed.getMetadata().getGeneration().equals(status.getObservedGeneration()))
                        .isPresent());
        await("it is ready with the change", () -> sandbox.isReady("simple-kmod"));

        client.resources(SpecialResource.class).withName("simple-kmod").delete();
        await("it is gone", () -> sandbox.get("simple-kmod").isEmpty());
        assertThat(daemonSets())
                .as("its finalizer came off when everything was away")
                .isEmpty();
    }

    @Test
    void theNextProcessTakesAwayWhatWasDeletedMeanwhile() throws InterruptedException {
        sandbox.apply(RESOURCE);
        await("it is ready", () -> sandbox.isReady("simple-kmod"));
        sdk.stop();
        assertThat(reconciler.operator()).as("it ends with the SDK").isEmpty();
        client.resources(SpecialResource.class).withName("simple-kmod").delete();
        sandbox.cluster().advance(Duration.ofMinutes(1));
        assertThat(sandbox.get("simple-kmod")).as("its finalizer keeps it").isPresent();

        start();
        await("it is gone", () -> sandbox.get("simple-kmod").isEmpty());
        assertThat(daemonSets()).isEmpty();
    }
}
