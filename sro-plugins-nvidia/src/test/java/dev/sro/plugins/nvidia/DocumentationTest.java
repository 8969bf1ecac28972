package dev.sro.plugins.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page for administrators has every field and image. {@code -Dsro.golden.update=true} writes its tables anew. */
class DocumentationTest {

    private static final Path PAGE = Path.of("../docs/admins/nvidia.md");

    /** What each operand has is told once. */
    private static final Set<String> COMMON = Set.of(
            "repository",
            "image",
            "version",
            "imagePullPolicy",
            "imagePullSecrets",
            "enabled",
            "args",
            "env",
            "resources",
            "hostNetwork");

    private static String fields() {
        return ConfigFields.OWN.all().stream()
                .filter(field -> !COMMON.contains(
                                field.path().substring(field.path().lastIndexOf('.') + 1))
                        || field.path().matches("(driver\\.manager|validator\\.\\w+)\\.env")
                        || (field.standard().equals("false") && field.path().endsWith(".enabled")))
                .map(field -> "| `" + field.path() + "` | "
                        + (field.type().contains(",") ? "`" + field.type().replace(",", "`, `") + "`" : field.type())
                        + " | " + (field.standard().isEmpty() ? "" : "`" + field.standard() + "`") + " | "
                        + field.meaning() + " |")
                .collect(Collectors.joining("\n", "| field | type | default | meaning |\n|---|---|---|---|\n", "\n"));
    }

    private static String images() {
        return Catalogue.OWN.entries().entrySet().stream()
                .map(entry ->
                        "| `" + entry.getKey() + "` | `" + entry.getValue().reference() + "` |")
                .collect(Collectors.joining("\n", "| section | image |\n|---|---|\n", "\n"));
    }

    @Test
    void itsTablesAreThoseOfThePlugin() throws IOException {
        String page = Files.readString(PAGE, StandardCharsets.UTF_8);
        String wanted = with(with(page, "fields", fields()), "images", images());
        if (Boolean.getBoolean("sro.golden.update")) {
            Files.writeString(PAGE, wanted, StandardCharsets.UTF_8);
            page = wanted;
        }
        assertThat(page).isEqualTo(wanted);
    }

    private static String with(String page, String table, String text) {
        String begin = "<!-- " + table + " -->\n";
        String end = "<!-- end of " + table + " -->";
        assertThat(page).contains(begin, end);
        return Pattern.compile(Pattern.quote(begin) + ".*?" + Pattern.quote(end), Pattern.DOTALL)
                .matcher(page)
                .replaceFirst(Matcher.quoteReplacement(begin + text + end));
    }
}
