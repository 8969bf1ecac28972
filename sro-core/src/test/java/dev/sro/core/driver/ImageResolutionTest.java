package dev.sro.core.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Outcome;
import dev.sro.core.driver.RegistryProbe.Finding;
import dev.sro.core.driver.RegistryProbe.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ImageResolutionTest {

    private static final String DIGEST = "sha256:" + "0".repeat(64);
    private static final String THREE =
            "repository: r/d, version: 550.1, imagePolicy: PrebuiltThenBuildThenCompileOnNode,"
                    + " tags: {prebuilt: p, build: b, compileOnNode: c}, build: {dockerfile: FROM x}";

    private final List<String> asked = new ArrayList<>();

    private PoolDriver resolve(String driver, @Nullable String running, Map<String, Kind> known) {
        return resolve(driver, running, known, false);
    }

    private PoolDriver resolve(String driver, @Nullable String running, Map<String, Kind> known, boolean begun) {
        DriverRequest request = Fixtures.request("{" + driver + "}", Fixtures.KERNEL);
        List<String> images =
                running == null ? List.of() : Stream.of(running.split(" ")).toList();
        return new ImageResolution(request, images, begun, candidate -> {
                    asked.add(candidate.reference());
                    Kind kind = known.getOrDefault(candidate.reference(), Kind.UNREAD);
                    return new ImageResolution.DatedFinding(
                            kind == Kind.FOUND ? new Finding(kind, DIGEST, "") : Finding.of(kind, "said"), Instant.MIN);
                })
                .resolve();
    }

    /** Candidates are p (prebuilt), b (built) and c (compiles). "asked" is which registries are asked, in order. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        nobody looked yet                       |       | UNREAD      | UNREAD      | Awaited LookingForImage       | p
        prebuilt                                |       | FOUND       | UNREAD      | Chosen r/d:p                  | p
        built before                            |       | MISSING     | FOUND       | Chosen r/d:b                  | p b
        to build                                |       | MISSING     | MISSING     | Awaited ImageNotBuilt build   | p b
        for another architecture                |       | OTHER_ARCHITECTURE | FOUND | Chosen r/d:b                 | p b
        built for another kernel                |       | MISSING     | OTHER_KERNEL | Awaited ImageNotBuilt build  | p b
        no login: nothing is built in its place |       | DENIED      | FOUND       | Awaited ImageAccessDenied     | p
        no answer: nor is it then               |       | UNREACHABLE | FOUND       | Awaited RegistryUnreachable   | p
        prebuilt runs                           | r/d:p | MISSING     | MISSING     | Chosen r/d:p                  |
        built runs: nobody looks for a better   | r/d:b | FOUND       | MISSING     | Chosen r/d:b                  |
        compiled runs                           | r/d:c | FOUND       | FOUND       | CompileOnNode r/d:c           |
        another one runs                        | r/d:x | FOUND       | UNREAD      | Chosen r/d:p                  | p
        another one runs while there is none    | r/d:x | MISSING     | MISSING     | Previous r/d:x ImageNotBuilt build | p b
        another one runs while nobody answers   | r/d:x | UNREACHABLE | MISSING     | Previous r/d:x RegistryUnreachable | p
        """)
    void theFirstThatExistsIsTaken(
            String id, @Nullable String running, Kind prebuilt, Kind built, String expected, @Nullable String wanted) {
        PoolDriver driver = resolve(THREE, running, Map.of("r/d:p", prebuilt, "r/d:b", built));
        assertThat(text(driver)).as(id).isEqualTo(expected);
        assertThat(String.join(" ", asked).replace("r/d:", "")).isEqualTo(wanted == null ? "" : wanted);
    }

    private static String text(PoolDriver driver) {
        StringBuilder text = new StringBuilder(driver.choice().getClass().getSimpleName());
        driver.choice().image().ifPresent(image -> text.append(' ').append(image));
        driver.choice()
                .obstacle()
                .ifPresent(outcome -> text.append(' ')
                        .append(
                                outcome instanceof Outcome.Waiting waiting
                                        ? waiting.reason()
                                        : ((Outcome.Failed) outcome).problem().code()));
        if (driver.build().isPresent() && driver.build().get().missing()) {
            text.append(" build");
        }
        return text.toString();
    }

    /** Nobody knows yet, or nobody may know, whether there is an image: that is no reason to throw away its build. */
    @ParameterizedTest
    @EnumSource(names = {"UNREAD", "UNREACHABLE", "DENIED"})
    void aBuildThatWasBegunGoesOnWhileNothingIsKnownOfImages(Kind nobodyKnows) {
        for (Map<String, Kind> known :
                List.of(Map.of("r/d:p", nobodyKnows), Map.of("r/d:p", Kind.MISSING, "r/d:b", nobodyKnows))) {
            BuildRequest build = resolve(THREE, null, known, true).build().orElseThrow();
            assertThat(build.target().reference()).isEqualTo("r/d:b");
            assertThat(build.missing()).as("so that none begins").isFalse();
            assertThat(build.wanted()).isTrue();
            assertThat(resolve(THREE, null, known, false).build())
                    .as("none begins")
                    .isEmpty();
        }
    }

    @Test
    void withPollEveryABetterOneIsLookedForWhileTheOtherRuns() {
        String driver = THREE + ", pollEvery: 1m";
        assertThat(text(resolve(driver, "r/d:c", Map.of("r/d:p", Kind.MISSING, "r/d:b", Kind.MISSING))))
                .isEqualTo("CompileOnNode r/d:c");
        assertThat(asked).containsExactly("r/d:p", "r/d:b");
        assertThat(text(resolve(driver, "r/d:c", Map.of("r/d:p", Kind.FOUND)))).isEqualTo("Chosen r/d:p");
        assertThat(text(resolve(driver, "r/d:c", Map.of("r/d:p", Kind.UNREACHABLE, "r/d:b", Kind.DENIED))))
                .isEqualTo("CompileOnNode r/d:c");
    }

    @Test
    void withoutKeepingAPoolWaits() {
        assertThat(text(resolve(
                        "containerImage: i:2, keepCurrentUntilAvailable: false", "i:1", Map.of("i:2", Kind.MISSING))))
                .isEqualTo("Awaited WaitingForImage");
    }

    @Test
    void aPinnedImageIsKnownByItsDigest() {
        String driver = "containerImage: i:1, pinDigest: true";
        PoolDriver first = resolve(driver, null, Map.of("i:1", Kind.FOUND));
        assertThat(first.choice().image()).contains("i@" + DIGEST);
        assertThat(first.record()).isEqualTo("i:1@" + DIGEST);
        asked.clear();
        assertThat(resolve(driver, first.record(), Map.of())).isEqualTo(first);
        assertThat(asked).isEmpty();
        assertThat(text(resolve(driver, "i:1", Map.of())))
                .as("not pinned yet")
                .isEqualTo("Previous i:1 LookingForImage");
        assertThat(text(resolve("containerImage: i:1", first.record(), Map.of("i:1", Kind.FOUND))))
                .as("pinned no more")
                .isEqualTo("Chosen i:1");
    }

    @Test
    void messagesNameEveryImageThatIsMissing() {
        PoolDriver driver = resolve(
                "repository: r/d, tags: {prebuilt: p, compileOnNode: c}, imagePolicy: PrebuiltThenCompileOnNode",
                null,
                Map.of("r/d:p", Kind.MISSING, "r/d:c", Kind.MISSING));
        assertThat(driver.choice().obstacle().orElseThrow().toString()).contains("r/d:p", "r/d:c", "said");
    }

    @Test
    void theSameFactsGiveEqualAnswersSoThatNothingIsRenderedAnew() {
        Map<String, Kind> known = Map.of("r/d:p", Kind.MISSING, "r/d:b", Kind.MISSING);
        assertThat(resolve(THREE, "r/d:x", known)).isEqualTo(resolve(THREE, "r/d:x", known));
    }
}
