package dev.sro.runtime.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Behaviour of other operators that is ours too, or is another for a reason: each has its test, which is looked for here. */
class VectorsTest {

    private static final Path ROOT = Path.of("..");

    private static final Map<String, String> SOURCES = sources();

    private static final Set<String> SEEN = new HashSet<>();

    private static Map<String, String> sources() {
        Map<String, String> sources = new HashMap<>();
        try (Stream<Path> files = Files.walk(ROOT)) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith("Test.java")).toList()) {
                String name = String.valueOf(file.getFileName());
                sources.put(name.substring(0, name.length() - ".java".length()), Files.readString(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sources;
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvFileSource(resources = "vectors.psv", numLinesToSkip = 1, delimiter = '|')
    void eachHasItsTest(String of, String id, String behaviour, String test, @Nullable String differs) {
        String[] parts = test.split("#", 2);
        assertThat(SOURCES).as(behaviour).containsKey(parts[0]);
        if (parts.length == 2) {
            assertThat(SOURCES.get(parts[0])).as(test).containsPattern("\\bvoid " + Pattern.quote(parts[1]) + "\\(");
        }
        assertThat(SEEN.add(of + " " + id)).as("twice").isTrue();
    }
}
