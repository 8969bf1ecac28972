package dev.sro.runtime.docs;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.model.Code;
import dev.sro.core.plugin.PluginRejectionCodes;
import dev.sro.runtime.Repository;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the documentation to the code: what can be checked by reading both is checked here. */
class DocsTest {
    private static final Path ROOT = Repository.file("");

    /** Where a code is written down as it is. */
    private static final Pattern CODE = Pattern.compile(
            "(?:new Problem|Problem\\.(?:user|vendor|platform)|RenderException\\.vendor|Outcome\\.waiting|new"
                    + " Transition)\\(\\s*(?:true,\\s*|false,\\s*)?\"([A-Z][A-Za-z0-9]*)\"(?!\\s*\\+)");

    /** Where a reason is put together: {@code needed(live, "Established", now)} waits with NotEstablished. */
    private static final Pattern NOT = Pattern.compile("\\b(?:needed|phase)\\(live, \"([A-Z][A-Za-z]*)\", now\\)");

    private static final Pattern CONSTANT = Pattern.compile(
            "String (?:APPLYING|FORMER|PREVIOUS_STATE|CLAIMS_IN_USE|NODES_KEPT_OFF) = \"([A-Z][A-Za-z]*)\"");

    /** The conditions' own reasons. */
    private static final Pattern CONDITION =
            Pattern.compile("new One\\(\\w+, \\S+, (?:degraded\\.value \\? degraded\\.reason : )?\"([A-Z][A-Za-z]*)\"");

    private static final Pattern LISTED = Pattern.compile("(?m)^\\| `([A-Z][A-Za-z0-9]*)` \\|");

    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");

    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)</artifactId>");

    static Path path(String file) {
        return ROOT.resolve(file);
    }

    static String read(String file) throws IOException {
        return Files.readString(ROOT.resolve(file));
    }

    private static Set<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String sources(String directory) throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(ROOT.resolve(directory))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                text.append(Files.readString(file)).append('\n');
            }
        }
        return text.toString();
    }

    @Test
    void everyCodeOfTheEngineIsExplainedAndNoOther() throws IOException {
        String source = sources("sro-core/src/main/java") + sources("sro-core/charts/src/main/java");
        Set<String> used = all(CODE, source);
        all(NOT, source).forEach(state -> used.add("Not" + state));
        used.addAll(all(CONSTANT, source));
        Stream.of(Code.values()).map(Code::text).forEach(used::add);
        used.addAll(all(CONDITION, source));
        // Of both, one is chosen by a condition where the pattern does not look.
        used.addAll(List.of("Deleting", "Removed"));

        assertThat(all(LISTED, read("docs/reference/problems.md"))).containsExactlyInAnyOrderElementsOf(used);
    }

    @Test
    void everyRejectionOfAPluginIsExplainedAndNoOther() throws IOException, IllegalAccessException {
        Set<String> used = new TreeSet<>();
        for (Field field : PluginRejectionCodes.class.getFields()) {
            used.add(String.valueOf(field.get(null)));
        }
        assertThat(all(LISTED, read("docs/reference/plugin-loading.md"))).containsExactlyInAnyOrderElementsOf(used);
    }

    static Stream<String> pages() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            List<String> docs = files.filter(file -> file.toString().endsWith(".md"))
                    .map(file -> ROOT.relativize(file).toString())
                    .sorted()
                    .toList();
            return Stream.concat(Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md"), docs.stream());
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void linksLeadSomewhere(String page) throws IOException {
        for (String link : all(LINK, read(page).replaceAll("`[^`\n]+`", "code"))) {
            if (link.contains("://")) {
                continue;
            }
            String[] parts = link.split("#", 2);
            Path target = parts[0].isEmpty()
                    ? ROOT.resolve(page)
                    : requireNonNull(ROOT.resolve(page).getParent()).resolve(parts[0]);
            assertThat(target).as("%s: %s", page, link).exists();
            if (parts.length == 2) {
                assertThat(anchors(Files.readString(target)))
                        .as("%s: %s", page, link)
                        .contains(parts[1]);
            }
        }
    }

    private static Set<String> anchors(String markdown) {
        return markdown.lines()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9 -]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    @Test
    void everyPageIsReachedFromTheIndex() throws IOException {
        String index = read("docs/index.md");
        assertThat(pages().filter(page -> page.startsWith("docs/") && !page.equals("docs/index.md")))
                .allSatisfy(page -> assertThat(index).contains("(" + page.substring("docs/".length()) + ")"));
    }

    @Test
    void testsNamedAsProofExist() throws IOException {
        Set<String> named =
                all(Pattern.compile("`([A-Za-z]+Test)[`.]"), read("docs/compatibility.md") + read("README.md"));
        Set<String> existing;
        try (Stream<Path> files = Files.walk(ROOT)) {
            existing = files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith("Test.java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .collect(Collectors.toSet());
        }
        assertThat(existing).containsAll(named);
    }

    @Test
    void theReadmeCountsTheAlerts() throws IOException {
        int gpus = 0;
        int slices = 0;
        boolean inSlices = false;
        for (String line : read("docs/reference/alerts-nvidia.md").lines().toList()) {
            inSlices = line.startsWith("## ") ? line.equals("## Slices on demand") : inSlices;
            gpus += line.startsWith("### Nvidia") && !inSlices ? 1 : 0;
            slices += line.startsWith("### Nvidia") && inSlices ? 1 : 0;
        }
        long operator = read("docs/reference/alerts-operator.md")
                .lines()
                .filter(line -> line.startsWith("### Sro"))
                .count();
        // Each alert has its paragraph there and each paragraph its alert: the contracts of the two hold that.
        assertThat(read("README.md"))
                .contains("%d alerts (%d of GPUs, %d of slices, %d of the operator)"
                        .formatted(gpus + slices + operator, gpus, slices, operator));
    }

    @Test
    void aTutorialIsFiveCommandsAtMostAndSaysWhatTheyPrint() throws IOException {
        List<String> tutorials =
                pages().filter(page -> page.startsWith("docs/tutorials/")).toList();
        assertThat(tutorials).hasSize(3);
        for (String page : tutorials) {
            String marked = read(page).replaceFirst("(?s)\\A.*?<!-- the tutorial:", "");
            assertThat(blocks("sh", read(page))).as(page).hasSize(1);
            assertThat(blocks("sh", marked).get(0).group(1).lines().filter(line -> !line.startsWith("#")))
                    .as(page)
                    .hasSizeBetween(1, 5);
            assertThat(blocks("text", marked)).as(page).isNotEmpty();
        }
    }

    @Test
    void everyDependencyHasAReason() throws IOException {
        String reasons = read("docs/dependencies.md");
        try (Stream<Path> poms = Files.walk(ROOT, 3).filter(file -> file.endsWith("pom.xml"))) {
            for (Path pom : poms.toList()) {
                String direct = Files.readString(pom)
                        .replaceAll("(?s)<(dependencyManagement|build|parent|exclusions)>.*?</\\1>", "");
                Set<String> artifacts = all(ARTIFACT, direct);
                artifacts.removeIf(name -> name.startsWith("sro") || name.equals("benchmarks"));
                assertThat(artifacts)
                        .as(pom.toString())
                        .allSatisfy(name -> assertThat(reasons).contains(name.replaceFirst("^kubernetes-model", "")));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void noPageNamesAMachine(String page) throws IOException {
        assertThat(read(page)).doesNotContainPattern("(?m)(^|[\\s`(])/(work|tmp|home|root)/");
    }

    static List<MatchResult> blocks(String language, String text) {
        return Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```")
                .matcher(text)
                .results()
                .toList();
    }
}
