package dev.sro.runtime.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is for others and what is not: each package that is internal says so, and nobody is shown to use it. */
class InternalPackagesTest {

    private static final String MARK = "<p>Internal: ";

    /** With their sub-packages: contract, front door, libraries that are artifacts of their own, plugins. */
    private static final List<String> FOR_OTHERS = List.of(
            "dev.sro.api",
            "dev.sro.core.embed",
            "dev.sro.core.slicing",
            "dev.sro.core.cel",
            "dev.sro.core.recipe.gotemplate",
            "dev.sro.josdk",
            "dev.sro.plugins",
            "dev.sro.benchmarks");

    /** Of the test kit; schemas, merges and the client's transport are its own. */
    private static final Set<String> KIT = Set.of(
            "dev.sro.testkit",
            "dev.sro.testkit.server",
            "dev.sro.testkit.http",
            "dev.sro.testkit.sim",
            "dev.sro.testkit.operator",
            "dev.sro.testkit.contract",
            "dev.sro.testkit.controlplane",
            "dev.sro.testkit.node",
            "dev.sro.testkit.conformance",
            "dev.sro.testkit.junit",
            "dev.sro.testkit.monitoring");

    /**
     * Tests of plugins here that look deeper than those of a vendor: registries behind a preflight, objects of monitoring, what the agent
     * publishes.
     */
    private static final Set<String> DEEPER = Set.of(
            "NvidiaPreflightTest.java", "MonitoringSchemasTest.java", "SlicesStackTest.java", "ResetScenarioTest.java");

    /** Of the front door: what SRO's own commands and its test kit set and take, which says of itself that it is internal. */
    private static final Set<String> OWN_USE = Set.of("loaded", "adjust", "internals");

    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
    private static final Pattern NAMED = Pattern.compile("\\bdev\\.sro(?:\\.[a-z]\\w*)+(?=\\.[A-Z])");
    private static final Pattern PUBLIC = Pattern.compile(
            "(?m)^public (?:abstract |final |sealed |non-sealed )*(?:class|interface|record|enum|@interface) ");

    private static boolean isForOthers(String name) {
        return KIT.contains(name)
                || FOR_OTHERS.stream().anyMatch(known -> name.equals(known) || name.startsWith(known + "."));
    }

    private static List<Path> sources(String part) throws IOException {
        try (Stream<Path> files = Files.walk(DocsTest.path(""))) {
            return files.filter(file -> file.toString().endsWith(".java")
                            && file.toString().contains("/src/" + part + "/java/dev/sro/")
                            && !file.toString().contains("/.fast/"))
                    .toList();
        }
    }

    private static String packageOf(String source) {
        return PACKAGE.matcher(source)
                .results()
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everyInternalPackageSaysSoAndNoOther() throws IOException {
        List<Path> all = sources("main").stream()
                .filter(file -> file.endsWith("package-info.java"))
                .toList();
        assertThat(all).hasSizeGreaterThan(60);
        for (Path file : all) {
            String text = Files.readString(file);
            assertThat(text.contains(MARK)).as("%s has \"%s\"", file, MARK).isNotEqualTo(isForOthers(packageOf(text)));
        }
    }

    @Test
    void codeInDocumentsUsesNothingInternal() throws IOException {
        for (String page : DocsTest.pages().toList()) {
            for (MatchResult block : DocsTest.blocks("java", DocsTest.read(page))) {
                assertThat(internal(block.group(1))).as(page).isEmpty();
            }
        }
    }

    @Test
    void pagesForVendorsAndEmbeddersNameNothingInternal() throws IOException {
        for (String page : DocsTest.pages().toList()) {
            if (page.startsWith("docs/embedders/") || page.startsWith("docs/vendors/")) {
                assertThat(internal(DocsTest.read(page))).as(page).isEmpty();
            }
        }
    }

    @Test
    void pluginsAndTheirTestsUseNothingInternal() throws IOException {
        for (String part : List.of("main", "test")) {
            List<Path> plugins = sources(part).stream()
                    .filter(file -> file.toString().contains("/sro-plugins-"))
                    .filter(file -> !DEEPER.contains(String.valueOf(file.getFileName())))
                    .toList();
            assertThat(plugins).hasSizeGreaterThan(20);
            for (Path file : plugins) {
                assertThat(internal(Files.readString(file))).as(file.toString()).isEmpty();
            }
        }
    }

    private static Set<String> internal(String text) {
        return NAMED.matcher(text)
                .results()
                .map(MatchResult::group)
                .filter(name -> !isForOthers(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** A type that stands in a signature of the door has to be learnt, and cannot change. */
    @Test
    void theDoorSpeaksOfNothingInternal() {
        for (JavaClass type : new ClassFileImporter().importPackages("dev.sro.core.embed")) {
            if (!type.getModifiers().contains(JavaModifier.PUBLIC)) {
                continue;
            }
            for (JavaMethod method : type.getMethods()) {
                if (method.getModifiers().contains(JavaModifier.PUBLIC) && !OWN_USE.contains(method.getName())) {
                    Stream<JavaClass> named =
                            Stream.concat(method.getRawParameterTypes().stream(), Stream.of(method.getRawReturnType()));
                    assertThat(named.map(JavaClass::getPackageName)
                                    .filter(name -> name.startsWith("dev.sro."))
                                    .filter(name -> !isForOthers(name)))
                            .as(method.getFullName())
                            .isEmpty();
                }
            }
        }
    }

    /** Printed, so that a change of it is seen; the door itself stays small. */
    @Test
    void countsWhatIsPublic() throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        for (Path file : sources("main")) {
            String text = Files.readString(file);
            if (PUBLIC.matcher(text).find()) {
                counts.merge(group(packageOf(text)), 1, Integer::sum);
            }
        }
        System.out.println("public types: " + counts);

        assertThat(counts.get("front door")).isBetween(5, 20);
        assertThat(counts).containsKeys("contract", "libraries", "test kit", "internal", "command line (internal)");
    }

    private static String group(String name) {
        if (name.startsWith("dev.sro.api")) {
            return "contract";
        }
        if (name.equals("dev.sro.core.embed")) {
            return "front door";
        }
        if (name.startsWith("dev.sro.runtime")) {
            return "command line (internal)";
        }
        if (name.startsWith("dev.sro.plugins") || name.startsWith("dev.sro.benchmarks")) {
            return "plugins and benchmarks";
        }
        if (KIT.contains(name)) {
            return "test kit";
        }
        return isForOthers(name) ? "libraries" : "internal";
    }
}
