package dev.sro.testkit.embed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.embed.SpecialResourceOperator;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two operators live on one cluster, each with special resources and a field manager of its own, and neither touches the other's. */
class TwoOperatorsTest {

    private static final Duration LIMIT = Duration.ofMinutes(30);

    private final SteppedDoors doors = new SteppedDoors();
    private final SpecialResourceOperator shared =
            doors.start("shared", operator -> operator.serves("!example.com/operator"));
    private final SpecialResourceOperator own = doors.start(
            "own", operator -> operator.serves("example.com/operator=own").fieldManager("example.com"));

    @BeforeEach
    void nodes() {
        for (String name : List.of("left", "right")) {
            doors.sandbox()
                    .nodes()
                    .create(
                            "node-" + name,
                            NodeProfile.of(OsRelease.UBUNTU_22).withLabel("example.com/" + name, "true"));
        }
        doors.run(Duration.ofMinutes(2));
    }

    @AfterEach
    void close() {
        doors.close();
    }

    private void install() {
        doors.apply("left", "");
        doors.apply("right", "own");
        assertThat(doors.runUntil(LIMIT, () -> isReady("left") && isReady("right")))
                .isTrue();
    }

    private boolean isReady(String name) {
        return doors.sandbox().isReady(name);
    }

    private SpecialResource find(String name) {
        return doors.sandbox().get(name).orElseThrow();
    }

    private static Set<String> managers(HasMetadata object) {
        return object.getMetadata().getManagedFields().stream()
                .filter(entry -> Objects.equals(entry.getOperation(), "Apply"))
                .map(ManagedFieldsEntry::getManager)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private List<HasMetadata> operands(String namespace) {
        return doors.sandbox().client().apps().daemonSets().inNamespace(namespace).list().getItems().stream()
                .map(HasMetadata.class::cast)
                .toList();
    }

    /** What the writes were about: namespace, or name of what has none. */
    private Set<String> touched(String userAgent) {
        return doors.writes(userAgent).stream().map(Recording.Entry::path).collect(Collectors.toSet());
    }

    @Test
    void eachServesItsOwnByItsOwnName() {
        install();

        assertThat(touched("shared")).isNotEmpty().noneMatch(path -> path.contains("right"));
        assertThat(touched("own")).isNotEmpty().noneMatch(path -> path.contains("left"));
        assertThat(managers(find("left"))).contains("sro").doesNotContain("example.com");
        assertThat(managers(find("right"))).contains("example.com").doesNotContain("sro");
        assertThat(operands("left"))
                .isNotEmpty()
                .allSatisfy(object -> assertThat(managers(object)).containsExactly("sro"));
        assertThat(operands("right"))
                .isNotEmpty()
                .allSatisfy(object -> assertThat(managers(object)).containsExactly("example.com"));
        Node node = doors.sandbox().client().nodes().withName("node-right").get();
        assertThat(managers(node)).contains("sro.right").doesNotContain("sro.left");
    }

    @Test
    void whatHappensToTheOnesIsNoBusinessOfTheOther() {
        install();
        doors.run(Duration.ofMinutes(5));
        int before = doors.writes("own").size();

        doors.sandbox()
                .client()
                .apps()
                .daemonSets()
                .inNamespace("left")
                .list()
                .getItems()
                .forEach(set -> doors.sandbox().client().resource(set).delete());
        doors.sandbox().nodes().reboot("node-left", "6.8.0-31-generic");
        assertThat(doors.runUntil(LIMIT, () -> isReady("left"))).isTrue();
        doors.sandbox()
                .client()
                .resources(SpecialResource.class)
                .withName("left")
                .delete();
        assertThat(doors.runUntil(LIMIT, () -> doors.sandbox().get("left").isEmpty()))
                .isTrue();

        assertThat(doors.writes("own")).hasSize(before);
        assertThat(isReady("right")).isTrue();
        assertThat(operands("right")).isNotEmpty();
    }

    @Test
    void oneThatNobodyServesIsLeftAlone() {
        doors.apply("left", "somebody-else");
        doors.run(Duration.ofHours(2));

        assertThat(find("left").getStatus()).isNull();
        assertThat(find("left").getMetadata().getFinalizers()).isEmpty();
        assertThat(doors.writes("shared")).isEmpty();
        assertThat(doors.writes("own")).isEmpty();
    }

    @Test
    void aSpecialResourceThatGetsAnotherLabelGoesToTheOtherOperatorAsItIs() {
        install();
        doors.apply("left", "own");
        doors.run(Duration.ofMinutes(5));
        int before = doors.writes("shared").size();

        doors.sandbox()
                .nodes()
                .create("node-late", NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/left", "true"));
        doors.run(Duration.ofMinutes(10));

        assertThat(isReady("left")).isTrue();
        assertThat(doors.writes("shared")).hasSize(before);
        assertThat(operands("left"))
                .as("those of the new kernel")
                .anySatisfy(object -> assertThat(managers(object)).containsExactly("example.com"));
        doors.sandbox()
                .client()
                .resources(SpecialResource.class)
                .withName("left")
                .delete();
        assertThat(doors.runUntil(LIMIT, () -> doors.sandbox().get("left").isEmpty()))
                .as("the finalizer goes, whoever put it there")
                .isTrue();
        assertThat(operands("left")).isEmpty();
    }

    @Test
    void aClosedOperatorDoesNothingMore() {
        install();
        own.close();
        own.close();
        int before = doors.writes("own").size();

        doors.sandbox()
                .nodes()
                .create("node-late", NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/right", "true"));
        doors.run(Duration.ofMinutes(10));

        assertThat(doors.writes("own")).hasSize(before);
        assertThat(own.mayWrite()).isFalse();
        assertThat(shared.isRunning()).isTrue();
    }
}
