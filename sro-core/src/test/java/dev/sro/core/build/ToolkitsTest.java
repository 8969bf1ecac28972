package dev.sro.core.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Outcome;
import dev.sro.core.image.ToolkitRelease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ToolkitsTest {

    private static final Toolkits.ToolkitImage OLD = known("413.92.2023", "sha256:old", "4.18.0-372.el8.x86_64", "");
    private static final Toolkits.ToolkitImage NEW =
            known("419.94.2025", "sha256:new", "5.14.0-570.el9.x86_64", "5.14.0-570.rt14.el9.x86_64");
    private static final Toolkits.ToolkitImage LATEST = known("latest", "sha256:new", "5.14.0-570.el9.x86_64", "");
    private static final Toolkits.ToolkitImage UNREAD =
            new Toolkits.ToolkitImage("418", "sha256:u", Optional.empty(), "");

    private static Toolkits.ToolkitImage known(String tag, String image, String kernel, String realTime) {
        return new Toolkits.ToolkitImage(tag, image, Optional.of(new ToolkitRelease(kernel, realTime, "9.4")), "");
    }

    private static Toolkits.Answer match(String kernel, Toolkits.ToolkitImage... all) {
        return Toolkits.match(List.of(all), Builds.pool(kernel), Instant.EPOCH);
    }

    @Test
    void findsTheKernelUnderWhicheverTag() {
        assertThat(match("4.18.0-372.el8.x86_64", LATEST, NEW, OLD).image()).contains("sha256:old");
        assertThat(match("5.14.0-570.el9.x86_64", LATEST, NEW, OLD).image()).contains("sha256:new");
    }

    @Test
    void findsRealTimeKernelsAndThoseWithLargePages() {
        assertThat(match("5.14.0-570.rt14.el9.x86_64", OLD, NEW).image()).contains("sha256:new");
        assertThat(match("5.14.0-570.el9.x86_64+64k", OLD, NEW).image()).contains("sha256:new");
    }

    @Test
    void takesAMatchBeforeEverythingIsReadAndWaitsOtherwise() {
        assertThat(match("5.14.0-570.el9.x86_64", UNREAD, NEW).image()).contains("sha256:new");
        assertThat(match("6.0.0", UNREAD, NEW).obstacle())
                .hasValueSatisfying(outcome -> assertThat(outcome)
                        .isInstanceOfSatisfying(
                                Outcome.Waiting.class,
                                waiting -> assertThat(waiting.on())
                                        .isEqualTo(
                                                "1 of 2 driver toolkits are being read to find that of kernel 6.0.0")));
    }

    @Test
    void saysWhichTagsItSawWithWhichKernels() {
        Toolkits.ToolkitImage broken =
                new Toolkits.ToolkitImage("417", "sha256:b", Optional.empty(), "401 unauthorized");
        assertThat(message(match("6.0.0", OLD, NEW, broken)))
                .contains("kernel 6.0.0")
                .contains("413.92.2023 (4.18.0-372.el8.x86_64)")
                .contains("419.94.2025 (5.14.0-570.el9.x86_64, real-time 5.14.0-570.rt14.el9.x86_64)")
                .contains("417 (not readable: 401 unauthorized)");
        assertThat(message(match("6.0.0"))).contains("no image stream openshift/driver-toolkit");
    }

    @Test
    void namesNotMoreTagsThanAPersonReads() {
        List<Toolkits.ToolkitImage> many = new ArrayList<>();
        for (int i = 100; i < 140; i++) {
            many.add(known("t" + i, "sha256:" + i, "5.0." + i + ".x86_64", ""));
        }
        assertThat(message(match("6.0.0", many.toArray(Toolkits.ToolkitImage[]::new))))
                .contains("t109")
                .doesNotContain("t110")
                .contains("30 more");
    }

    private static String message(Toolkits.Answer answer) {
        return answer.obstacle().orElseThrow() instanceof Outcome.Failed failed
                ? failed.problem().message()
                : "not failed";
    }
}
