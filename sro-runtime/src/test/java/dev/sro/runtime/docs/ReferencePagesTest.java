package dev.sro.runtime.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Pages that are written from the code: after a change that is meant, {@code ./mvnw -pl sro-runtime -am test
 * -Dtest=ReferencePagesTest -Dsurefire.failIfNoSpecifiedTests=false -Dsro.reference.write=true} writes them again.
 */
class ReferencePagesTest {
    private static final Path REFERENCE = Path.of("..", "docs", "reference");
    private static final boolean WRITE = Boolean.getBoolean("sro.reference.write");

    private static void check(String page, Supplier<String> text) throws IOException {
        Path file = REFERENCE.resolve(page);
        if (WRITE) {
            Files.writeString(file, text.get());
        }
        assertThat(Files.readString(file)).as(page).isEqualToNormalizingNewlines(text.get());
    }

    @Test
    void commandsAreThoseOfTheCommandLine() throws IOException {
        check("commands.md", CommandPage::write);
    }

    @Test
    void fieldsAreThoseOfTheDefinitions() throws IOException {
        check("fields.md", FieldPage::write);
    }
}
