package dev.sro.runtime.allocator;

import static dev.sro.runtime.allocator.AllocatorObjects.byClaim;
import static dev.sro.runtime.allocator.AllocatorObjects.byTemplate;
import static dev.sro.runtime.allocator.AllocatorObjects.gang;
import static dev.sro.runtime.allocator.AllocatorObjects.pod;
import static dev.sro.runtime.allocator.AllocatorObjects.request;
import static dev.sro.runtime.allocator.AllocatorWorld.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.allocation.Allocations;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.DraServer;
import dev.sro.core.placement.PodSlices;
import dev.sro.testkit.server.Recording;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The allocator on a simulated cluster, beside a scheduler that leaves tainted devices alone. */
class ClaimAllocatorTest {
    private static List<Recording.Entry> own(AllocatorWorld world) {
        return world.cluster.recording().entries(entry -> entry.userAgent().contains("allocator"));
    }

    @Test
    void aPodGetsItsSliceByThreeRequestsAndTheSchedulerBindsIt() {
        try (AllocatorWorld world = new AllocatorWorld(3, 2)) {
            world.allocator();
            world.create("first", "t1-7g-40gb");
            world.cluster.recording().start();

            world.create("train", "t1-3g-20gb");
            world.rounds(1);

            assertThat(world.runs("train")).isTrue();
            assertThat(own(world)).as("finalizer, allocation and gate").hasSize(3);
            ResourceClaim claim = world.claims("train").get(0);
            assertThat(claim.getMetadata().getFinalizers()).containsExactly(AllocationMarks.FINALIZER);
            assertThat(Allocations.results(claim)).singleElement().satisfies(result -> {
                assertThat(result.getDevice()).endsWith("-3g-20gb-4");
                assertThat(result.getRequest()).isEqualTo("slice");
            });
            assertThat(claim.getStatus()
                            .getAllocation()
                            .getNodeSelector()
                            .getNodeSelectorTerms()
                            .get(0)
                            .getMatchFields()
                            .get(0)
                            .getValues())
                    .containsExactly(world.nodeOf("train"));
        }
    }

    @Test
    void withoutTheAllocatorNobodyGivesTaintedDevices() {
        try (AllocatorWorld world = new AllocatorWorld(1, 1)) {
            world.create(byTemplate(
                    pod(NAMESPACE, "p").editSpec().withSchedulingGates().endSpec(), "t1-1g-5gb"));
            world.rounds(2);

            assertThat(world.allocated()).isEmpty();
            assertThat(world.runs("p")).isFalse();

            // A pod that came without the gate is served, too.
            world.allocator();
            world.rounds(2);
            assertThat(world.runs("p")).isTrue();
        }
    }

    @Test
    void devicesWithoutTheTaintAreTheSchedulers() {
        try (AllocatorWorld world = new AllocatorWorld(0, 0)) {
            world.node("plain", 1, DraOptions.of(new DraServer(36, 2)));
            world.cluster.advance(Duration.ofSeconds(10));
            ClaimAllocator allocator = world.allocator();
            world.create("p", "t1-1g-5gb");
            world.rounds(2);

            assertThat(world.allocated()).isEmpty();
            assertThat(allocator.fleet().nodes()).containsExactly("plain");
        }
    }

    @Test
    void slicesOfAPodAreOnOneGpuOrOnDifferentOnes() {
        try (AllocatorWorld world = new AllocatorWorld(1, 3)) {
            world.allocator();
            world.create(byTemplate(pod(NAMESPACE, "same"), "t2-1g-5gb", "t1-3g-20gb")
                    .editMetadata()
                    .addToAnnotations(PodSlices.SPREAD, PodSlices.SAME_GPU)
                    .endMetadata());
            world.create(byTemplate(pod(NAMESPACE, "different"), "t2-1g-5gb", "t1-1g-5gb")
                    .editMetadata()
                    .addToAnnotations(PodSlices.SPREAD, PodSlices.DIFFERENT_GPUS)
                    .endMetadata());
            world.rounds(1);

            assertThat(world.gpus("same"))
                    .hasSize(3)
                    .containsOnly(world.gpus("same").get(0));
            assertThat(world.gpus("different")).hasSize(3).doesNotHaveDuplicates();
        }
    }

    @Test
    void constraintsOfAClaimAreKept() {
        try (AllocatorWorld world = new AllocatorWorld(1, 2)) {
            world.allocator();
            ResourceClaim claim =
                    AllocatorObjects.claim(NAMESPACE, "both", request("a", "1g.5gb", 1), request("b", "2g.10gb", 1));
            claim.getSpec()
                    .getDevices()
                    .setConstraints(List.of(new io.fabric8.kubernetes.api.model.resource.v1.DeviceConstraint(
                            "slices.sro.dev/parent", null, List.of())));
            world.client.resource(claim).create();
            world.create(byClaim(pod(NAMESPACE, "p"), "both"));
            world.rounds(1);

            assertThat(world.gpus("p")).hasSize(2).doesNotHaveDuplicates();
            assertThat(world.runs("p")).isTrue();
        }
    }

    @Test
    void podsThatShareAClaimAreOnItsNode() {
        try (AllocatorWorld world = new AllocatorWorld(3, 1)) {
            world.allocator();
            world.client
                    .resource(AllocatorObjects.claim(NAMESPACE, "shared", request("a", "7g.40gb", 1)))
                    .create();
            world.create(byClaim(pod(NAMESPACE, "one"), "shared"));
            world.create(byClaim(pod(NAMESPACE, "two"), "shared"));
            world.rounds(1);

            assertThat(world.nodeOf("two")).isNotEmpty().isEqualTo(world.nodeOf("one"));
            world.delete("one");
            world.rounds(1);
            assertThat(world.runs("two")).isTrue();
            assertThat(world.claims("two")).allMatch(Allocations::allocated);
        }
    }

    @Test
    void aGangGetsAllOrNothing() {
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            world.allocator();
            for (String name : List.of("g0", "g1", "g2")) {
                world.create(gang(byTemplate(pod(NAMESPACE, name), "t1-7g-40gb"), "ring", 3));
            }
            world.rounds(2);
            assertThat(world.allocated())
                    .as("two nodes are not enough for three")
                    .isEmpty();
            world.create("small", "t1-1g-5gb");
            world.rounds(1);
            assertThat(world.runs("small")).as("others pass meanwhile").isTrue();
            world.delete("small");

            world.node("n2", 1, AllocatorObjects.OPTIONS);
            world.rounds(4);

            assertThat(List.of(world.nodeOf("g0"), world.nodeOf("g1"), world.nodeOf("g2")))
                    .doesNotHaveDuplicates()
                    .doesNotContain("");
        }
    }

    @Test
    void aGangWaitsForAllItsPods() {
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            world.allocator();
            world.create(gang(byTemplate(pod(NAMESPACE, "g0"), "t1-7g-40gb"), "ring", 2));
            world.rounds(3);
            assertThat(world.allocated()).isEmpty();
            assertThat(world.events("g0")).anyMatch(text -> text.contains("waits for 1 more of its 2 pods"));

            world.create(gang(byTemplate(pod(NAMESPACE, "g1"), "t1-7g-40gb"), "ring", 2));
            world.rounds(2);
            assertThat(world.runs("g0") && world.runs("g1")).isTrue();
        }
    }

    @Test
    void theSearchForAGangGoesBack() {
        // The wide pod may be on n0 alone, by CPU; whoever puts a narrow one there first has to take it away again.
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            world.allocator();
            world.simulation().nodes().label("n0", "fast", "yes");
            world.create(gang(byTemplate(pod(NAMESPACE, "a"), "t1-4g-20gb"), "g", 2));
            world.create(gang(
                    byTemplate(
                            pod(NAMESPACE, "b")
                                    .editSpec()
                                    .addToNodeSelector("fast", "yes")
                                    .endSpec(),
                            "t1-4g-20gb"),
                    "g",
                    2));
            world.rounds(2);

            assertThat(world.nodeOf("a")).isEqualTo("n1");
            assertThat(world.nodeOf("b")).isEqualTo("n0");
        }
    }

    @Test
    void cpuTaintsAndSelectorsOfNodesCount() {
        try (AllocatorWorld world = new AllocatorWorld(3, 1)) {
            world.allocator();
            world.simulation().nodes().taint("n0", "own", "", "NoSchedule");
            world.create(byTemplate(
                    pod(NAMESPACE, "big")
                            .editSpec()
                            .editContainer(0)
                            .editResources()
                            .addToRequests("memory", new Quantity("1Pi"))
                            .endResources()
                            .endContainer()
                            .endSpec(),
                    "t1-1g-5gb"));
            for (String name : List.of("a", "b", "c")) {
                world.create(name, "t1-7g-40gb");
            }
            world.rounds(4);

            assertThat(world.allocated()).hasSize(2);
            assertThat(List.of(world.nodeOf("a"), world.nodeOf("b"), world.nodeOf("c")))
                    .containsExactlyInAnyOrder("n1", "n2", "");
            assertThat(world.events("big")).anyMatch(text -> text.contains("no room for 1g-5gb.slices.sro.dev"));
        }
    }

    @Test
    void whatCannotBeServedIsSaidWithObjectFieldAndFix() {
        try (AllocatorWorld world = new AllocatorWorld(1, 1)) {
            world.allocator();
            ResourceClaim claim = AllocatorObjects.claim(NAMESPACE, "all", request("a", "1g.5gb", 1));
            claim.getSpec().getDevices().getRequests().get(0).getExactly().setAllocationMode("All");
            claim.getSpec().getDevices().getRequests().get(0).getExactly().setCount(null);
            world.client.resource(claim).create();
            world.create(byClaim(pod(NAMESPACE, "p"), "all"));
            world.create(byClaim(pod(NAMESPACE, "lonely"), "nowhere"));
            world.create(gang(byTemplate(pod(NAMESPACE, "g"), "t1-1g-5gb"), "x", 0));
            world.create(byTemplate(pod(NAMESPACE, "odd"), "t1-1g-5gb")
                    .editMetadata()
                    .addToAnnotations(PodSlices.SPREAD, "near")
                    .endMetadata());
            world.rounds(4);

            assertThat(world.events("p"))
                    .containsExactly(
                            "claim default/all: spec.devices.requests[0].exactly.allocationMode: All is not given"
                                    + " by this allocator: ask for a count");
            assertThat(world.events("lonely"))
                    .containsExactly(
                            "pod default/lonely: spec.resourceClaims[c0]: ResourceClaim default/nowhere does not"
                                    + " exist: create it");
            assertThat(world.events("g"))
                    .containsExactly(
                            "pod default/g: metadata.annotations[slices.sro.dev/gang-size]: of gang default/x is"
                                    + " \"0\": write how many pods it has, 1 to 256");
            assertThat(world.events("odd")).singleElement().asString().contains("write same-gpu or different-gpus");
        }
    }
}
