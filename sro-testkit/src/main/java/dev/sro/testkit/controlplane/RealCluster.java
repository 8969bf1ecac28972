package dev.sro.testkit.controlplane;

import dev.sro.api.resource.SpecialResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A test's part of a real cluster: a namespace and nodes of its own, which go when the test ends. Whatever else a test makes outside
 * of its namespace it has to remove itself.
 */
public final class RealCluster implements AutoCloseable {
    private static final long PAUSE_MILLIS = 50;
    private static final String CRD = "/META-INF/sro/crds/specialresources.sro.openshift.io.yaml";

    private final SharedCluster shared;
    private final KubernetesClient client;
    private final Namespace namespace;
    private final RealNodes nodes;

    RealCluster(SharedCluster shared, String test) {
        this.shared = shared;
        this.namespace = shared.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(nameFor(test))
                        .addToLabels(RunId.LABEL, shared.run().label())
                        .endMetadata()
                        .build())
                .create();
        this.client = shared.newClient("sro-test", namespace());
        this.nodes = new RealNodes(client, shared, namespace());
    }

    private static String nameFor(String test) {
        String words = test.replaceAll("([a-z])([A-Z])", "$1-$2")
                .replaceAll("[^A-Za-z0-9]+", "-")
                .replaceAll("^-+", "")
                .toLowerCase(Locale.ROOT);
        // Room for what tests append.
        String cut = words.substring(0, Math.min(words.length(), 30)).replaceAll("-+$", "");
        return "t-" + cut + "-" + UUID.randomUUID().toString().substring(0, 8);
    }

    /**
     * A part of a control plane that a test started itself, with arguments of its own for example. Closing it leaves the control
     * plane as it is.
     *
     * @param test what the namespace is named after
     */
    public static RealCluster on(ControlPlane controlPlane, String test) {
        return new RealCluster(SharedCluster.of(controlPlane), test);
    }

    /** One for another test of the same run. */
    RealCluster another(String test) {
        return new RealCluster(shared, test);
    }

    /** The administrator's client; its default namespace is the test's. */
    public KubernetesClient client() {
        return client;
    }

    /** What a client of the administrator needs, for tests that build one themselves. */
    public Config config() {
        return shared.config();
    }

    /** The name of the test's namespace. */
    public String namespace() {
        return namespace.getMetadata().getName();
    }

    Namespace namespaceObject() {
        return namespace;
    }

    /** Makes nodes. */
    public RealNodes nodes() {
        return nodes;
    }

    /** What the cluster offers. */
    public Set<Feature> features() {
        return shared.features();
    }

    /**
     * The control plane, for tests that need {@link Feature#RESTART}. All tests of the JVM share it.
     *
     * @throws IllegalStateException if the cluster is somebody else's
     */
    public ControlPlane controlPlane() {
        return shared.controlPlane()
                .orElseThrow(() -> new IllegalStateException(shared.description() + " is not ours to restart"));
    }

    /** Makes the cluster serve SRO's own kinds, if it does not yet. They stay, for other tests. */
    public void installSpecialResources() {
        CustomResourceDefinition definition;
        try (InputStream yaml = Objects.requireNonNull(SpecialResource.class.getResourceAsStream(CRD), CRD)) {
            definition = client.getKubernetesSerialization().unmarshal(yaml, CustomResourceDefinition.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        client.resource(definition).serverSideApply();
        await(
                "SpecialResources are served",
                Duration.ofMinutes(1),
                () -> client.resources(SpecialResource.class).list().getItems() != null);
    }

    /**
     * Waits until a condition holds. A request that fails in it counts as not yet.
     *
     * @param what the condition in words, for the error
     * @throws AssertionError if it does not come to hold in time
     */
    public void await(String what, Duration limit, BooleanSupplier condition) {
        long end = System.nanoTime() + limit.toNanos();
        String failure = "";
        while (System.nanoTime() < end) {
            try {
                if (condition.getAsBoolean()) {
                    return;
                }
                failure = "";
            } catch (KubernetesClientException e) {
                failure = ": " + e.getMessage();
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
        }
        throw new AssertionError("waited " + limit.toSeconds() + " s until " + what + failure);
    }

    /** Removes the namespace and the nodes. Does not wait until the namespace is gone. */
    @Override
    public void close() {
        shared.client().namespaces().withName(namespace()).delete();
        if (nodes.isUsed()) {
            // On a node that is gone nobody would end them. The namespace takes no new ones any more.
            client.pods().inNamespace(namespace()).withGracePeriod(0).delete();
            nodes.close();
        }
        client.close();
    }
}
