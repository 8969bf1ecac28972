package dev.sro.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The contract changes when somebody means it to: its signatures are recorded, and a review sees what becomes of them. */
class ContractBaselineTest {

    private static final Path FILE = Path.of("signatures.txt");
    private static final Path SOURCES = Path.of("src/main/java");
    private static final String VERSION = Baseline.version(Path.of("../pom.xml"));
    private static final String REWRITE =
            "./mvnw -pl sro-api test -Dtest=ContractBaselineTest -Dsro.signatures.write=true";

    private static SortedSet<String> signatures() {
        SortedSet<String> lines = new TreeSet<>();
        Signatures.types().forEach(type -> lines.addAll(Signatures.of(type)));
        return lines;
    }

    private static Baseline recorded() throws IOException {
        return Baseline.parse(Files.exists(FILE) ? Files.readString(FILE) : "");
    }

    /** Also the generator: with the system property it writes the file instead of comparing. */
    @Test
    void nothingOfTheContractChangesUnnoticed() throws IOException {
        if (Boolean.getBoolean("sro.signatures.write")) {
            Files.writeString(FILE, recorded().with(signatures(), VERSION).text());
        }
        Baseline recorded = recorded();

        assertThat(recorded.brokenBy(signatures()))
                .as(
                        "plugins that were compiled before do not work any more; if that is meant, run %s and say so"
                                + " in CHANGELOG.md",
                        REWRITE)
                .isEmpty();
        assertThat(recorded.notRecordedOf(signatures()))
                .as("the contract grew, or an experiment changed; run %s", REWRITE)
                .isEmpty();
    }

    /** A member without the tag is as old as its type. */
    @Test
    void everyTypeSaysSinceWhenItIsThereAndSoDoYoungerMembers() throws IOException {
        Baseline recorded = recorded();
        for (Class<?> type : Signatures.types()) {
            Class<?> top = type;
            while (top.getEnclosingClass() != null) {
                top = top.getEnclosingClass();
            }
            String source = Files.readString(SOURCES.resolve(top.getName().replace('.', '/') + ".java"));
            for (String line : Signatures.of(type)) {
                String version = Objects.requireNonNull(recorded.since().get(line), line);
                assertThat(source).as(line).contains("@since " + version + "\n");
            }
        }
    }

    @Test
    void aMemberThatGoesOrThatImplementationsLackBreaks() {
        Baseline recorded = Baseline.parse("""
            1.0.0 a.Plugin interface
            1.0.0 a.Plugin#ask() int abstract
            1.0.0 a.Value record (int size)
            1.0.0 a.Young interface experimental
            1.0.0 a.Young#one() int abstract
            1.1.0 a.Value#odd() int experimental
            """);

        assertThat(recorded.brokenBy(List.of(
                        "a.Plugin interface",
                        "a.Plugin#ask() int abstract",
                        "a.Plugin#tell() int abstract",
                        "a.Value record (long size)")))
                .containsExactly(
                        "gone or changed: a.Value record (int size)",
                        "implementations lack it: a.Plugin#tell() int abstract");
        assertThat(recorded.brokenBy(recorded.since().keySet())).isEmpty();
    }

    @Test
    void whatIsNewHasTheVersionOfTheBuildAndTheRestItsOwn() {
        Baseline recorded = Baseline.parse("1.0.0 a.Value record ()\n1.0.0 a.Old class\n");

        assertThat(recorded.with(List.of("a.Value record ()", "a.New class"), "1.2.0")
                        .since())
                .containsExactlyInAnyOrderEntriesOf(Map.of("a.New class", "1.2.0", "a.Value record ()", "1.0.0"));
    }
}
