package dev.sro.runtime.allocator;

import static dev.sro.runtime.allocator.AllocatorObjects.byTemplate;
import static dev.sro.runtime.allocator.AllocatorObjects.request;
import static dev.sro.runtime.allocator.AllocatorWorld.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.DraServer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Slices of a namespace are bounded by the ResourceQuota of the documentation, by claims and by limits, whoever gives them. */
class SliceQuotaTest {
    private static final String PROFILE = "3g.20gb";
    private static final String BY_CLASS = "3g-20gb.slices.sro.dev.deviceclass.resource.k8s.io/devices";
    private static final String BY_LIMITS = "requests.nvidia.com/mig-3g.20gb";
    private static final String RESOURCE = "nvidia.com/mig-3g.20gb";

    private static final Pattern QUOTA =
            Pattern.compile("(?s)```yaml\\n(apiVersion: v1\\nkind: ResourceQuota\\n.*?)```");

    /** Devices that Kubernetes' scheduler gives away. */
    private static AllocatorWorld scheduled() {
        AllocatorWorld world = new AllocatorWorld(0, 1);
        for (String node : AllocatorObjects.names("s", 2)) {
            world.node(
                    node, 1, DraOptions.builder().server(new DraServer(36, 2)).build());
        }
        return world;
    }

    /** The one of the page, with numbers of its own. */
    private static void quota(AllocatorWorld world, Map<String, String> hard) throws IOException {
        Matcher found = QUOTA.matcher(Files.readString(Path.of("../docs/slicing/dra.md")));
        assertThat(found.find()).isTrue();
        ResourceQuota quota = (ResourceQuota) world.client
                .load(new ByteArrayInputStream(found.group(1).getBytes(StandardCharsets.UTF_8)))
                .items()
                .get(0);
        assertThat(quota.getSpec().getHard()).containsKeys(hard.keySet().toArray(new String[0]));
        quota.getMetadata().setNamespace(NAMESPACE);
        quota.getSpec().getHard().keySet().retainAll(hard.keySet());
        hard.forEach((name, amount) -> quota.getSpec().getHard().put(name, new Quantity(amount)));
        world.client.resource(quota).create();
        world.cluster.settle();
    }

    private static Map<String, Quantity> used(AllocatorWorld world) {
        return world.client
                .resourceQuotas()
                .inNamespace(NAMESPACE)
                .withName("slices")
                .get()
                .getStatus()
                .getUsed();
    }

    private static PodBuilder ungated(String name) {
        return AllocatorObjects.pod(NAMESPACE, name)
                .editSpec()
                .withSchedulingGates()
                .endSpec();
    }

    private static Pod byLimits(String name) {
        return ungated(name)
                .editSpec()
                .editFirstContainer()
                .editResources()
                .addToLimits(RESOURCE, new Quantity("1"))
                .addToRequests(RESOURCE, new Quantity("1"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    /** The second of two waits for its claim, until the first one is gone. */
    private static void oneAfterTheOther(AllocatorWorld world, boolean gated) throws IOException {
        quota(world, Map.of(BY_CLASS, "1"));
        for (String name : new String[] {"a", "b"}) {
            world.create(byTemplate(
                    gated ? AllocatorObjects.pod(NAMESPACE, name) : ungated(name),
                    AllocatorObjects.templateName(PROFILE, 1)));
            world.rounds(3);
        }
        assertThat(world.runs("a")).isTrue();
        assertThat(world.runs("b")).isFalse();
        assertThat(world.claims("b")).as("no claim was made").isEmpty();
        assertThat(used(world)).containsEntry(BY_CLASS, new Quantity("1"));

        world.delete("a");
        world.rounds(30);
        assertThat(world.runs("b")).isTrue();
        assertThat(world.claims("b")).hasSize(1);
    }

    @Test
    void claimsAreBoundedByTheirClassUnderTheAllocator() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            world.allocator();
            oneAfterTheOther(world, true);
        }
    }

    @Test
    void claimsAreBoundedByTheirClassUnderKubernetesScheduler() throws IOException {
        try (AllocatorWorld world = scheduled()) {
            oneAfterTheOther(world, false);
        }
    }

    @Test
    void aClaimForMoreThanThereMayBeIsRefusedAtOnce() throws IOException {
        try (AllocatorWorld world = scheduled()) {
            quota(world, Map.of(BY_CLASS, "1"));

            assertThatThrownBy(() -> world.client
                            .resource(AllocatorObjects.claim(NAMESPACE, "two", request("slice", PROFILE, 2)))
                            .create())
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("exceeded quota: slices, requested: " + BY_CLASS + "=2, used: " + BY_CLASS
                            + "=0, limited: " + BY_CLASS + "=1");
        }
    }

    @Test
    void podsAreBoundedByLimits() throws IOException {
        try (AllocatorWorld world = scheduled()) {
            quota(world, Map.of(BY_LIMITS, "1"));
            world.client.resource(byLimits("a")).create();
            world.rounds(3);
            assertThat(world.runs("a")).isTrue();
            assertThat(used(world))
                    .as("its claim, which the scheduler made, is not counted beside it")
                    .containsEntry(BY_LIMITS, new Quantity("1"));

            assertThatThrownBy(() -> world.client.resource(byLimits("b")).create())
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("exceeded quota: slices, requested: " + BY_LIMITS + "=1");

            world.delete("a");
            world.rounds(3);
            world.client.resource(byLimits("b")).create();
            world.rounds(3);
            assertThat(world.runs("b")).isTrue();
        }
    }

    @Test
    void claimsCountAmongLimitsToo() throws IOException {
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            world.allocator();
            quota(world, Map.of(BY_LIMITS, "1"));
            world.create("a", AllocatorObjects.templateName(PROFILE, 1));
            world.rounds(3);
            assertThat(world.runs("a")).isTrue();
            assertThat(used(world)).containsEntry(BY_LIMITS, new Quantity("1"));

            world.create("b", AllocatorObjects.templateName(PROFILE, 1));
            world.rounds(3);
            assertThat(world.claims("b")).isEmpty();
        }
    }
}
