package dev.sro.testkit.embed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two installations of {@code sro operator}, each with a selector of its own and both with the field manager {@code sro}, which is all
 * that tells their objects apart by others: by the special resource alone they know which are theirs.
 */
class TwoRuntimesTest {

    private static final Duration LIMIT = Duration.ofMinutes(30);

    private final SteppedDoors doors = new SteppedDoors();

    @BeforeEach
    void install() {
        doors.start("first", operator -> operator.serves("example.com/operator=first"));
        doors.start("second", operator -> operator.serves("example.com/operator=second"));
        for (String name : List.of("left", "right", "nobodys")) {
            doors.sandbox()
                    .nodes()
                    .create(
                            "node-" + name,
                            NodeProfile.of(OsRelease.UBUNTU_22).withLabel("example.com/" + name, "true"));
        }
        doors.run(Duration.ofMinutes(2));
        doors.apply("left", "first");
        doors.apply("right", "second");
        doors.apply("nobodys", "third");
        assertThat(doors.runUntil(
                        LIMIT,
                        () -> doors.sandbox().isReady("left") && doors.sandbox().isReady("right")))
                .isTrue();
    }

    @AfterEach
    void close() {
        doors.close();
    }

    private Set<String> touched(String runtime) {
        return doors.writes(runtime).stream().map(Recording.Entry::path).collect(Collectors.toSet());
    }

    @Test
    void neitherTouchesWhatTheOtherHas() {
        assertThat(touched("first")).isNotEmpty().allMatch(path -> path.contains("left"));
        assertThat(touched("second")).isNotEmpty().allMatch(path -> path.contains("right"));
    }

    /** What is not wanted any more is told by labels that both runtimes write: the other's must not count. */
    @Test
    void neitherPrunesWhatTheOtherHas() {
        int before = doors.writes("second").size();
        doors.sandbox().nodes().reboot("node-left", "6.8.0-31-generic");
        doors.run(Duration.ofHours(3));
        doors.sandbox()
                .client()
                .resources(SpecialResource.class)
                .withName("left")
                .delete();
        assertThat(doors.runUntil(LIMIT, () -> doors.sandbox().get("left").isEmpty()))
                .isTrue();

        assertThat(doors.writes("second")).hasSize(before);
        assertThat(doors.sandbox().isReady("right")).isTrue();
        assertThat(doors.sandbox().client().namespaces().withName("right").get())
                .isNotNull();
        assertThat(touched("first")).allMatch(path -> path.contains("left"));
    }

    @Test
    void aRuntimeThatStartsAnewFindsNothingToDoWithTheOthers() {
        doors.start("first-again", operator -> operator.serves("example.com/operator=first"));
        doors.run(Duration.ofHours(3));
        assertThat(touched("first-again")).noneMatch(path -> path.contains("right") || path.contains("nobodys"));
        assertThat(doors.sandbox().isReady("right")).isTrue();
    }
}
