package dev.sro.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.Reach;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.resource.StateStatus;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.States;
import dev.sro.core.fixture.World;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.probe.ClaimUse;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What allocated devices stays until they are given back. */
class ClaimHoldTest {

    private static final String DRIVER = "card.example";

    private static State driver(String name) {
        return State.builder()
                .id("3000-dra")
                .reach(Reach.nodeByNode())
                .draDriver(DRIVER)
                .addManifests(ManifestTemplate.text("x.yaml", """
                    apiVersion: resource.k8s.io/v1
                    kind: DeviceClass
                    metadata: {name: card.example}
                    spec: {}
                    ---
                    apiVersion: apps/v1
                    kind: DaemonSet
                    metadata: {name: %s}
                    spec: {template: {spec: {nodeSelector: {use: claims}, containers: [{name: c, image: "i:1"}]}}}
                    """.formatted(name)))
                .build();
    }

    private static ClaimUse claim(String name, String driver) {
        return new ClaimUse("default", name, Set.of(driver), List.of(name + "-0"), "2026-01-01T09:00:00Z");
    }

    private static List<String> names(World world) {
        return world.objects.keySet().stream()
                .map(ref -> ref.kind() + " " + ref.name())
                .toList();
    }

    private static World running(State... states) {
        World world = new World(states).with(Nodes.node("a", Nodes.K1));
        world.settle();
        assertThat(names(world)).contains("DaemonSet dra", "DeviceClass card.example");
        return world;
    }

    private static StateStatus state(World world) {
        return Objects.requireNonNull(world.resource.getStatus()).getStates().stream()
                .filter(state -> "3000-dra".equals(state.getName()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aDriverThatLeavesTheRecipeStaysUntilItsClaimsAreGone() {
        World world = running(States.driver(), driver("dra"));
        world.plugin.states = context -> StateGraph.chain(States.driver());
        world.claims =
                Optional.of(List.of(claim("b", DRIVER), claim("a", DRIVER), claim("c", DRIVER), claim("x", "y")));
        world.settle();

        assertThat(names(world)).contains("DaemonSet dra").doesNotContain("DeviceClass card.example");
        assertThat(state(world).getReason()).isEqualTo("DeviceClaimsInUse");
        assertThat(state(world).getMessage())
                .startsWith("3 claims have devices of card.example, the first since 2026-01-01T09:00:00Z:"
                        + " default/a (pod a-0), default/b (pod b-0); end these pods")
                .doesNotContain("default/x");
        String since = String.valueOf(state(world).getSince());

        world.now = world.now.plusSeconds(3600);
        assertThat(world.step().writes()).isEmpty();
        assertThat(state(world).getSince()).isEqualTo(since);

        world.claims = Optional.of(List.of(claim("x", "y")));
        world.settle();
        assertThat(names(world)).doesNotContain("DaemonSet dra");
    }

    @Test
    void whatIsNotKnownIsNotThere() {
        World world = running(States.driver(), driver("dra"));
        world.plugin.states = context -> StateGraph.chain(States.driver());
        world.claims = Optional.empty();
        world.settle();
        assertThat(names(world)).contains("DaemonSet dra");
        assertThat(state(world).getMessage()).startsWith("resource claims are being listed");

        world.claims = Optional.of(List.of());
        world.settle();
        assertThat(names(world)).doesNotContain("DaemonSet dra");
    }

    @Test
    void anotherDaemonSetOfTheSameDriverTakesOver() {
        World world = running(States.driver(), driver("dra"));
        world.claims = Optional.of(List.of(claim("a", DRIVER)));
        world.plugin.states = context -> StateGraph.chain(States.driver(), driver("renamed"));
        world.settle();

        assertThat(names(world)).contains("DaemonSet renamed").doesNotContain("DaemonSet dra");
    }

    @Test
    void withoutNodesItStaysAsWell() {
        World world = running(States.driver(), driver("dra"));
        world.claims = Optional.of(List.of(claim("a", DRIVER)));
        world.nodes.clear();
        world.settle();
        assertThat(names(world)).contains("DaemonSet dra");

        world.claims = Optional.of(List.of());
        world.settle();
        assertThat(names(world)).noneMatch(name -> name.startsWith("DaemonSet"));
    }

    @Test
    void aDeletionWaitsAndSaysForWhatUnlessTheClaimsAreAbandoned() {
        World world = running(States.driver(), driver("dra"));
        world.claims = Optional.of(List.of(claim("a", DRIVER)));
        Resources.spec(world.resource).setManagementState("Removed");
        world.settle();
        assertThat(names(world)).contains("DaemonSet dra").anyMatch(name -> name.startsWith("DaemonSet driver"));
        assertThat(state(world).getReason()).isEqualTo("DeviceClaimsInUse");
        assertThat(Objects.requireNonNull(world.resource.getStatus()).getState())
                .startsWith("Removing: 4 objects are left to remove; 1 claim has devices of card.example");

        world.resource.getMetadata().setAnnotations(Map.of(MetadataKeys.ABANDON_CLAIMS, DRIVER));
        world.settle();
        assertThat(names(world)).noneMatch(name -> name.startsWith("DaemonSet"));
    }

    @Test
    void aClaimSaysWhoHasItAndSinceWhen() {
        Map<String, Object> claim = Serialization.unmarshal("""
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: c, namespace: n, creationTimestamp: "2026-01-01T08:00:00Z"}
            status:
              allocation:
                allocationTimestamp: "2026-01-01T09:00:00Z"
                devices: {results: [{driver: a.example}, {driver: b.example}]}
              reservedFor: [{resource: pods, name: two}, {resource: pods, name: one}, {resource: things, name: t}]
            """, new TypeReference<Map<String, Object>>() {});

        assertThat(ClaimUse.of(KubeObject.of(claim)))
                .isEqualTo(new ClaimUse(
                        "n", "c", Set.of("a.example", "b.example"), List.of("one", "two"), "2026-01-01T09:00:00Z"));
    }
}
