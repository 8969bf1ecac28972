package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The life of a special resource on the embedded cluster, with counted requests. */
final class KmodScenarioTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final NodeProfile RHEL = NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/device", "true");
    private static final NodeProfile UBUNTU =
            NodeProfile.of(OsRelease.UBUNTU_22).withLabel("example.com/device", "true");
    private static final String OLD_KERNEL = "5.14.0-427.50.1.el9_4.x86_64";
    private static final String NEW_KERNEL = "5.14.0-427.11.1.el9_4.x86_64";

    private final SroSandbox sandbox = SroSandbox.create(new KmodPlugin());

    @BeforeEach
    void twoKernelsReady() {
        sandbox.simulation().registry().onlyPushed("registry.example/kmod:*");
        sandbox.nodes().create("rhel-a", RHEL.withKernel(OLD_KERNEL));
        sandbox.nodes().create("ubuntu-a", UBUNTU);
        sandbox.nodes().create("ubuntu-b", UBUNTU.withoutNfd());
        sandbox.nodes().create("plain", NodeProfile.of(OsRelease.RHEL_9));
        sandbox.run(Duration.ofMinutes(2));
        sandbox.apply(KmodPlugin.RESOURCE);
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("kmod"))).isTrue();
        sandbox.run(Duration.ofSeconds(5));
        sandbox.cluster().recording().start();
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    private List<Recording.Entry> operatorRequests() {
        return sandbox.cluster()
                .recording()
                .entries(e -> e.userAgent().equals("sro") && !e.verb().equals("watch"));
    }

    private Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        for (Gvr type : List.of(Gvr.DAEMONSETS, Gvr.JOBS, Gvr.SERVICEACCOUNTS)) {
            sandbox.cluster()
                    .api()
                    .list(type)
                    .forEach(object -> versions.put(
                            type.plural() + "/" + object.at("/metadata/name").asText(),
                            object.at("/metadata/generation").asText()
                                    + object.at("/metadata/uid").asText()));
        }
        return versions;
    }

    @Test
    void makesNoRequestWhenNothingChanges() {
        sandbox.run(Duration.ofHours(2));

        assertThat(operatorRequests()).isEmpty();
    }

    @Test
    void makesNoWriteAfterARestartOnAConvergedCluster() {
        sandbox.kill();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(5));

        assertThat(operatorRequests()).isNotEmpty().noneMatch(Recording.Entry::isWrite);
    }

    @Test
    void touchesOnlyThePoolOfTheNodeThatChangesItsKernel() {
        Map<String, String> before = versions();

        sandbox.nodes().reboot("rhel-a", NEW_KERNEL);
        sandbox.run(Duration.ofSeconds(5));
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("kmod"))).isTrue();
        sandbox.run(Duration.ofMinutes(2));

        Map<String, String> after = versions();
        assertThat(after)
                .containsEntry(
                        "daemonsets/kmod-driver-6d1425a686f2f04c",
                        before.get("daemonsets/kmod-driver-6d1425a686f2f04c"));
        assertThat(after.keySet())
                .contains("daemonsets/kmod-driver-e4ab180856c6b1c8", "jobs/kmod-build-e4ab180856c6b1c8")
                .doesNotContain("daemonsets/kmod-driver-79de22ce8656333", "jobs/kmod-build-79de22ce8656333");
        assertThat(operatorRequests().stream().filter(Recording.Entry::isWrite))
                .as("writes to anything of the other pool or its nodes")
                .noneMatch(
                        e -> e.name().contains("6d1425a686f2f04c") || e.name().startsWith("ubuntu"));
    }

    @Test
    void repairsAFieldThatSomebodyChanged() {
        String name = "kmod-driver-6d1425a686f2f04c";
        sandbox.client().apps().daemonSets().inNamespace("kmod").withName(name).edit(ds -> {
            ds.getSpec().getTemplate().getSpec().getContainers().get(0).setImage("evil:1");
            return ds;
        });
        sandbox.run(Duration.ofMinutes(1));

        DaemonSet live = sandbox.client()
                .apps()
                .daemonSets()
                .inNamespace("kmod")
                .withName(name)
                .get();
        assertThat(live.getSpec().getTemplate().getSpec().getContainers().get(0).getImage())
                .isEqualTo("registry.example/kmod:v5.15.0-91-generic");
        assertThat(operatorRequests().stream().filter(e -> e.name().equals(name) && e.isWrite()))
                .hasSize(1);
    }

    @Test
    void putsItsLabelBackOnAnOperand() {
        String name = "kmod-driver-6d1425a686f2f04c";
        sandbox.client().apps().daemonSets().inNamespace("kmod").withName(name).edit(ds -> {
            ds.getMetadata().getLabels().remove(MetadataKeys.SPECIAL_RESOURCE);
            return ds;
        });
        sandbox.run(Duration.ofMinutes(1));

        assertThat(sandbox.client()
                        .apps()
                        .daemonSets()
                        .inNamespace("kmod")
                        .withName(name)
                        .get()
                        .getMetadata()
                        .getLabels())
                .containsEntry(MetadataKeys.SPECIAL_RESOURCE, "kmod");
        assertThat(sandbox.isReady("kmod")).isTrue();
    }

    @Test
    void leavesFieldsOfOthersAlone() {
        String name = "kmod-driver-6d1425a686f2f04c";
        sandbox.client().apps().daemonSets().inNamespace("kmod").withName(name).edit(ds -> {
            ds.getMetadata().getAnnotations().put("example.com/note", "mine");
            return ds;
        });
        sandbox.run(Duration.ofMinutes(1));

        assertThat(operatorRequests()).isEmpty();
    }

    @Test
    void oneBadNodeHoldsUpNobodyElse() {
        sandbox.simulation()
                .behaviors()
                .add(Behavior.crashLoop().image("registry.example/kmod:*").node("ubuntu-c"));
        sandbox.nodes().create("ubuntu-c", UBUNTU);
        sandbox.nodes().create("ubuntu-d", UBUNTU);
        sandbox.run(Duration.ofMinutes(5));

        assertThat(node("ubuntu-d").getMetadata().getLabels())
                .containsEntry(MetadataKeys.stateLabel("kmod", "1000"), "Ready")
                .containsEntry(MetadataKeys.stateLabel("kmod", "2000"), "Ready");
        assertThat(node("ubuntu-c").getMetadata().getLabels())
                .doesNotContainKey(MetadataKeys.stateLabel("kmod", "1000"));
        assertThat(Objects.requireNonNull(sandbox.get("kmod").orElseThrow().getStatus())
                        .getSamples())
                .anySatisfy(sample -> {
                    assertThat(sample.getNode()).isEqualTo("ubuntu-c");
                    assertThat(sample.getReason()).isEqualTo("ContainerFailed");
                });
    }

    @Test
    void writesTheKernelLabelOnlyWhereNobodyElseDoes() {
        assertThat(heldLabels("ubuntu-b")).contains(MetadataKeys.KERNEL_LABEL);
        assertThat(heldLabels("rhel-a")).doesNotContain(MetadataKeys.KERNEL_LABEL);
    }

    @Test
    void goesEvenIfAFormerOperatorWroteTheSameFinalizer() {
        sandbox.client().resources(SpecialResource.class).withName("kmod").edit(resource -> {
            resource.getMetadata().setFinalizers(List.of(MetadataKeys.FINALIZER, "example.com/theirs"));
            return resource;
        });
        sandbox.client().resources(SpecialResource.class).withName("kmod").delete();
        sandbox.run(Duration.ofMinutes(2));
        assertThat(sandbox.get("kmod").orElseThrow().getMetadata().getFinalizers())
                .as("ours is gone, whoever else held it; that of others is theirs")
                .containsExactly("example.com/theirs");
    }

    @Test
    void leavesNothingBehind() {
        sandbox.nodes().delete("ubuntu-a");
        sandbox.run(Duration.ofMinutes(2));
        sandbox.client().resources(SpecialResource.class).withName("kmod").delete();

        assertThat(sandbox.runUntil(LONG, () -> sandbox.get("kmod").isEmpty())).isTrue();
        sandbox.run(Duration.ofMinutes(2));

        assertThat(sandbox.client().namespaces().withName("kmod").get()).isNull();
        assertThat(sandbox.client().apps().daemonSets().inAnyNamespace().list().getItems())
                .isEmpty();
        assertThat(sandbox.client().pods().inAnyNamespace().list().getItems()).isEmpty();
        for (Node node : sandbox.client().nodes().list().getItems()) {
            assertThat(heldLabels(node.getMetadata().getName())).isEmpty();
        }
    }

    @Test
    void leavesANamespaceOfOthersAlone() {
        sandbox.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("theirs")
                        .endMetadata()
                        .build())
                .create();
        sandbox.apply(KmodPlugin.RESOURCE
                .replace("name: kmod}\nspec", "name: other}\nspec")
                .replace("namespace: kmod", "namespace: theirs"));
        sandbox.run(Duration.ofMinutes(5));
        sandbox.client().resources(SpecialResource.class).withName("other").delete();
        sandbox.run(Duration.ofMinutes(5));

        Namespace namespace = sandbox.client().namespaces().withName("theirs").get();
        assertThat(namespace).isNotNull();
        assertThat(namespace.getMetadata().getManagedFields())
                .noneMatch(f -> f.getManager().startsWith("sro"));
    }

    private Node node(String name) {
        return sandbox.client().nodes().withName(name).get();
    }

    /** Keys of the labels that the special resource holds on a node, as managedFields have them. */
    private List<String> heldLabels(String name) {
        List<String> labels = new ArrayList<>();
        for (ManagedFieldsEntry entry : node(name).getMetadata().getManagedFields()) {
            if (entry.getManager().equals("sro.kmod")) {
                Map<String, Object> fields = entry.getFieldsV1().getAdditionalProperties();
                ValueTrees.map(fields, "f:metadata", "f:labels")
                        .keySet()
                        .forEach(field -> labels.add(field.substring(2)));
            }
        }
        return labels;
    }
}
