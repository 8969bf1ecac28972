package dev.sro.core.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.driver.RegistrySecurity;
import dev.sro.core.build.BuiltImages.Entry;
import dev.sro.core.build.ImageGarbage.Policy;
import dev.sro.core.build.ImageGarbage.Reach;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.TreeLiterals;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageGarbageTest {

    private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
    private static final String STREAM = "image-registry.openshift-image-registry.svc:5000/acme/driver:";
    private static final String REGISTRY = "registry.example.com/acme/driver:";

    /** {@code s1-10}: tag 1 of a stream, that nobody needs since 10 days; {@code r2}: tag 2 elsewhere, that somebody did. */
    private static Entry entry(String word) {
        String[] parts = word.split("-", 2);
        return new Entry(
                (parts[0].startsWith("s") ? STREAM : REGISTRY) + parts[0].substring(1),
                "6.1.0",
                NOW.minus(Duration.ofDays(100)),
                parts.length < 2
                        ? Optional.empty()
                        : Optional.of(NOW.minus(Duration.ofDays(Integer.parseInt(parts[1])))),
                RegistrySecurity.CHECKED,
                Optional.of("login"));
    }

    private static BuiltImages images(@Nullable String words) {
        TreeMap<String, Entry> all = new TreeMap<>();
        for (String word : words(words)) {
            all.put(entry(word).image(), entry(word));
        }
        return new BuiltImages(all);
    }

    private static List<String> words(@Nullable String words) {
        return words == null ? List.of() : Arrays.asList(words.split(" "));
    }

    private static Set<String> names(@Nullable String words) {
        return words(words).stream().map(word -> entry(word).image()).collect(Collectors.toSet());
    }

    private static ImageGarbage.Decision decide(BuiltImages known, Set<String> gone, Set<String> used, Policy policy) {
        return ImageGarbage.decide(
                new ImageGarbage.Facts(known, List.of(), gone, entry -> used.contains(entry.image())), policy, NOW);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        nothing built               | -                | -     | OPENSHIFT  | 0 | -           | -
        old and unused              | s1-40            | -     | OPENSHIFT  | 0 | s1          | -
        needed again                | s1-40            | s1    | OPENSHIFT  | 0 | -           | -
        not for long enough         | s1-10            | -     | OPENSHIFT  | 0 | -           | 20
        unused just now             | s1               | -     | OPENSHIFT  | 0 | -           | 30
        the last ones stay          | s1-90 s2-60 s3-40 | -    | OPENSHIFT  | 2 | s1          | -
        those in use do not count   | s1-90 s2-60 s3   | s3    | OPENSHIFT  | 1 | s1          | -
        no other registry           | r1-90 s2-60      | -     | OPENSHIFT  | 0 | s2          | -
        every registry              | r1-90 s2-60      | -     | EVERYWHERE | 0 | r1 s2       | -
        nothing is deleted          | r1-90 s2-60      | -     | NOWHERE    | 0 | -           | -
        on the day                  | s1-30            | -     | OPENSHIFT  | 0 | s1          | -
        the next one                | s1-40 s2-25      | -     | OPENSHIFT  | 0 | s1          | 5
        """)
    void whatNobodyNeedsGoesInTheEnd(
            String id,
            @Nullable String known,
            @Nullable String used,
            Reach reach,
            int keep,
            @Nullable String doomed,
            @Nullable Integer days) {
        ImageGarbage.Decision decision =
                decide(images(known), Set.of(), names(used), new Policy(reach, keep, Duration.ofDays(30)));
        assertThat(decision.doomed().stream().map(Entry::image))
                .as(id)
                .containsExactlyInAnyOrderElementsOf(names(doomed));
        assertThat(decision.wakeUp()).as(id).isEqualTo(days == null ? Instant.MAX : NOW.plus(Duration.ofDays(days)));
        assertThat(decision.images().entries().keySet())
                .as("it stays on record until it is gone")
                .isEqualTo(images(known).entries().keySet());
    }

    @Test
    void whatIsGoneIsForgotten() {
        assertThat(decide(images("s1-40 s2"), names("s1"), Set.of(), BuildSettings.DEFAULTS.garbage())
                        .images()
                        .entries())
                .containsOnlyKeys(STREAM + "2");
    }

    @Test
    void whatIsPushedAnewIsNoOlderThanThat() {
        Entry pushed = Entry.of(Builds.step(Builds.plan().build(), Builds.OPENSHIFT), NOW);
        ImageGarbage.Decision decision = ImageGarbage.decide(
                new ImageGarbage.Facts(BuiltImages.NONE, List.of(pushed), Set.of(), entry -> true),
                BuildSettings.DEFAULTS.garbage(),
                NOW);
        assertThat(decision.images().entries().values()).singleElement().satisfies(entry -> {
            assertThat(entry.pushed()).isEqualTo(NOW);
            assertThat(entry.kernel()).isEqualTo(Builds.KERNEL);
            assertThat(entry.unused()).isEmpty();
        });
    }

    @Property(tries = 500)
    void nothingThatIsUsedGoesAndSoManyAlwaysStay(
            @ForAll @Size(max = 12) List<@IntRange(max = 80) Integer> ages,
            @ForAll @IntRange(max = 4096) int used,
            @ForAll @IntRange(max = 5) int keep) {
        String words = IntStream.range(0, ages.size())
                .mapToObj(i -> "s" + i + "-" + ages.get(i))
                .collect(Collectors.joining(" "));
        Set<String> needed = IntStream.range(0, ages.size())
                .filter(i -> (used >> i & 1) == 1)
                .mapToObj(i -> STREAM + i)
                .collect(Collectors.toSet());
        ImageGarbage.Decision decision = decide(
                images(words.isEmpty() ? null : words),
                Set.of(),
                needed,
                new Policy(Reach.EVERYWHERE, keep, Duration.ofDays(30)));
        assertThat(decision.doomed())
                .noneMatch(entry -> needed.contains(entry.image()))
                .allMatch(entry -> !entry.unused().orElseThrow().isAfter(NOW.minus(Duration.ofDays(30))));
        assertThat(ages.size() - needed.size() - decision.doomed().size())
                .isGreaterThanOrEqualTo(Math.min(keep, ages.size() - needed.size()));
    }

    @Test
    void theRecordReadsWhatItWrote() {
        BuiltImages images = images("s1-40 r2");
        assertThat(BuiltImages.in(List.of(images.object("acme.x", "ns")))).isEqualTo(images);
        assertThat(images.object("acme.x", "ns").ref().name()).isEqualTo("acme-x-built-images");
    }

    @Test
    void linesThatSomebodyBrokeAreNobodysImages() {
        KubeObject broken = KubeObject.of(TreeLiterals.map(
                "apiVersion",
                "v1",
                "kind",
                "ConfigMap",
                "metadata",
                TreeLiterals.map("name", "x", "annotations", TreeLiterals.map(MetadataKeys.BUILT_IMAGES, "true")),
                "data",
                TreeLiterals.map("images", "x kernel=1 pushed=never\n" + REGISTRY + "2 pushed=" + NOW)));
        assertThat(BuiltImages.in(List.of(broken)).entries()).containsOnlyKeys(REGISTRY + "2");
    }

    @Test
    void aPolicyHasNoNegativeNumbers() {
        assertThatThrownBy(() -> new Policy(Reach.NOWHERE, -1, Duration.ZERO)).hasMessageContaining("keep -1");
    }
}
