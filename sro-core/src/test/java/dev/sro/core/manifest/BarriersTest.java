package dev.sro.core.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.Reach;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.core.model.KubeObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class BarriersTest {

    private static State state(String id, String kind, boolean perNode, String... after) {
        return State.builder()
                .id(id)
                .reach(perNode ? Reach.nodeByNode() : Reach.whole())
                .addAfter(after)
                .addManifests(ManifestTemplate.text("x.yaml", """
                    apiVersion: v1
                    kind: %s
                    metadata: {name: s%s}
                    """.formatted(kind, id.substring(0, 4))))
                .build();
    }

    /** By state, the numbers of the states whose label its DaemonSet waits for. */
    private static Map<String, Set<String>> barriers(Rendering rendering) {
        Map<String, Set<String>> result = new HashMap<>();
        for (KubeObject object : rendering.objects()) {
            result.put(
                    object.ref().name(),
                    object.map("spec", "template", "spec", "nodeSelector").keySet().stream()
                            .filter(key -> key.contains("/state-simple-kmod-"))
                            .map(key -> key.substring(key.length() - 4))
                            .collect(Collectors.toSet()));
        }
        return result;
    }

    @Test
    void aDaemonSetWaitsOnEachNodeForTheStateBeforeItsOwn() {
        assertThat(barriers(Rendering.of(
                        state("1000-driver", "DaemonSet", true),
                        state("2000-check", "DaemonSet", true),
                        state("3000-plugin", "DaemonSet", true))))
                .isEqualTo(Map.of("s1000", Set.of(), "s2000", Set.of("1000"), "s3000", Set.of("2000")));
    }

    /** Their label comes when all of them are ready. */
    @Test
    void statesOfOneNumberDoNotWaitForTheirOwnLabel() {
        assertThat(barriers(Rendering.of(
                        state("1000-driver", "DaemonSet", true),
                        state("2000-check", "ConfigMap", true),
                        state("2000-plugin", "DaemonSet", true),
                        state("3000-more", "DaemonSet", true))))
                .isEqualTo(Map.of("s1000", Set.of(), "s2000", Set.of("1000"), "s3000", Set.of("2000")));
    }

    @Test
    void podsThatWaitByThemselvesGetNoLabelsToWaitFor() {
        State.Builder own = State.builder();
        own.from(state("2000-check", "DaemonSet", true)).reach(Reach.ownBarrier());

        assertThat(barriers(Rendering.of(
                        state("1000-driver", "DaemonSet", true), own.build(), state("3000-plugin", "DaemonSet", true))))
                .isEqualTo(Map.of("s1000", Set.of(), "s2000", Set.of(), "s3000", Set.of("2000")));
    }

    @Test
    void aStateBetweenThatIsNotPerNodeDoesNotLiftTheBarrier() {
        assertThat(barriers(Rendering.of(
                        state("1000-driver", "DaemonSet", true),
                        state("2000-config", "ConfigMap", false),
                        state("3000-plugin", "DaemonSet", true))))
                .isEqualTo(Map.of("s1000", Set.of(), "s2000", Set.of(), "s3000", Set.of("1000")));
    }

    @Test
    void onlyDaemonSetsHaveBarriers() {
        assertThat(barriers(Rendering.of(
                        state("1000-driver", "DaemonSet", true),
                        state("2000-exporter", "Deployment", false),
                        state("3000-check", "Job", false))))
                .isEqualTo(Map.of("s1000", Set.of(), "s2000", Set.of(), "s3000", Set.of()));
    }

    @Test
    void aStateAfterTwoWaitsForBoth() {
        Rendering rendering = Rendering.of();
        rendering.plugin.states = context -> StateGraph.of(List.of(
                state("1000-a", "DaemonSet", true),
                state("2000-b", "DaemonSet", true),
                state("3000-c", "DaemonSet", true, "1000-a", "2000-b")));
        assertThat(barriers(rendering)).containsEntry("s3000", Set.of("1000", "2000"));
    }
}
