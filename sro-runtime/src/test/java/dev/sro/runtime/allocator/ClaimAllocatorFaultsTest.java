package dev.sro.runtime.allocator;

import static dev.sro.runtime.allocator.AllocatorObjects.byClaim;
import static dev.sro.runtime.allocator.AllocatorObjects.byTemplate;
import static dev.sro.runtime.allocator.AllocatorObjects.gang;
import static dev.sro.runtime.allocator.AllocatorObjects.pod;
import static dev.sro.runtime.allocator.AllocatorObjects.request;
import static dev.sro.runtime.allocator.AllocatorWorld.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.server.Gvr;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What fails halfway, is taken away, or was begun by an allocator that is gone. */
class ClaimAllocatorFaultsTest {
    @Test
    void whatFailsHalfwayIsGivenBackAndComesLater() {
        try (AllocatorWorld world = new AllocatorWorld(2, 2)) {
            world.allocator();
            world.cluster
                    .faults()
                    .rule()
                    .verbs("patch")
                    .resources("resourceclaims.resource.k8s.io")
                    .when(request -> request.path().endsWith("/status"))
                    .after(2)
                    .times(1)
                    .internalError();
            for (String name : List.of("g0", "g1")) {
                world.client
                        .resource(gang(byTemplate(pod(NAMESPACE, name), "t1-7g-40gb", "t1-3g-20gb"), "ring", 2)
                                .build())
                        .create();
            }
            world.cluster.settle();
            assertThat(world.allocated()).isEmpty();

            world.rounds(2);
            assertThat(world.runs("g0") && world.runs("g1")).isTrue();
            assertThat(world.allocated()).hasSize(4);
        }
    }

    @Test
    void writesWhoseAnswersWereLostHold() {
        try (AllocatorWorld world = new AllocatorWorld(1, 1)) {
            world.allocator();
            world.cluster.faults().rule().verbs("patch").after(1).times(1).loseAnswer();
            world.create("p", "t1-7g-40gb");
            world.rounds(1);
            assertThat(world.runs("p")).isTrue();

            world.delete("p");
            world.rounds(1);
            world.cluster
                    .faults()
                    .rule()
                    .verbs("patch")
                    .resources("pods")
                    .times(1)
                    .loseAnswer();
            world.create("q", "t1-7g-40gb");
            world.rounds(1);
            assertThat(world.runs("q")).isTrue();
        }
    }

    @Test
    void anAllocationThatTheSchedulerTakesAwayIsMadeOnAnotherNode() {
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            world.allocator();
            // Nothing tells that the first one is cordoned.
            world.cluster.silenceWatches(Gvr.NODES);
            world.simulation().nodes().cordon("n0");
            world.create("p", "t1-7g-40gb");
            world.rounds(1);

            assertThat(world.nodeOf("p")).isEqualTo("n1");
            assertThat(world.runs("p")).isTrue();
            assertThat(world.allocated()).hasSize(1);
            assertThat(world.events("p")).singleElement().asString().contains("node n0", "would not bind it there");
        }
    }

    @Test
    void aNodeThatWasRefusedIsTriedAgainAfterAWhile() {
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            ClaimAllocator first = world.allocator();
            world.create("other", "t1-7g-40gb");
            assertThat(world.nodeOf("other")).isEqualTo("n0");
            world.cluster.silenceWatches(Gvr.NODES);
            world.simulation().nodes().cordon("n1");
            world.delete("other");
            world.create("blocker", "t1-7g-40gb");
            world.create("p", "t1-7g-40gb");
            world.rounds(3);
            assertThat(world.runs("p")).isFalse();

            // A restart knows of the refusal by the mark of the claim.
            world.kill(first);
            world.simulation().nodes().uncordon("n1");
            world.allocator();
            world.rounds(1);
            assertThat(world.runs("p")).isFalse();
            world.rounds(30);

            assertThat(world.runs("p")).isTrue();
            assertThat(world.nodeOf("p")).isEqualTo("n1");
        }
    }

    @Test
    void devicesOfPodsThatAreGoneComeBackThoughNobodyReservedThem() {
        try (AllocatorWorld world = new AllocatorWorld(1, 1)) {
            world.allocator();
            world.client
                    .resource(AllocatorObjects.claim(NAMESPACE, "kept", request("a", "7g.40gb", 1)))
                    .create();
            world.create(byClaim(pod(NAMESPACE, "p"), "kept"));
            world.rounds(1);
            assertThat(world.runs("p")).isTrue();
            // As if a scheduler before us had written the allocation and ended before the reservation.
            world.client
                    .resources(ResourceClaim.class)
                    .inNamespace(NAMESPACE)
                    .withName("kept")
                    .editStatus(claim -> {
                        claim.getStatus().setReservedFor(List.of());
                        return claim;
                    });
            world.delete("p");
            world.rounds(2);
            assertThat(world.allocated()).hasSize(1);

            world.rounds(10);

            assertThat(world.allocated()).isEmpty();
            assertThat(world.claims().get(0).getMetadata().getFinalizers()).isEmpty();
        }
    }

    @Test
    void whoStartsAnewGoesOnWhereTheOtherOneEnded() {
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            ClaimAllocator first = world.allocator();
            // Of the four writes for two claims three come through.
            world.cluster.faults().rule().verbs("patch").after(3).unavailable();
            world.cluster.faults().rule().verbs("get").unavailable();
            world.create("p", "t1-4g-20gb", "t1-3g-20gb");
            world.kill(first);
            world.cluster.faults().clear();
            assertThat(world.allocated()).hasSize(1);
            world.create("q", "t1-7g-40gb");

            world.allocator();
            world.rounds(2);

            assertThat(world.runs("p") && world.runs("q")).isTrue();
            assertThat(world.twice()).isEmpty();
        }
    }
}
