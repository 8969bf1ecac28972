package dev.sro.runtime;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The directions of the house: plugins -> api <- core <- testkit <- runtime, and the order of packages that the map has. */
class ArchitectureTest {

    private static final String HOUSE = "dev.sro.";
    private static final String CORE = HOUSE + "core.";

    /** Of a table with packages: how its rows begin. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z.]+)` \\|");

    /** All packages in the order of docs/architecture.md; each uses only those before it. */
    private static final List<String> MAP = map();

    /** It names all commands. */
    private static final String MAIN_CLASS = HOUSE + "runtime.Main";

    /** Public since before it was used from below, so it stays where tests of vendors have it. */
    private static final String CLOCK = HOUSE + "testkit.VirtualClock";

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/") && !location.contains("-tests.jar"))
            .importPackages("dev.sro");

    /** From its own folder: on the class path it is for the demo alone. */
    private static final JavaClasses AGENT =
            new ClassFileImporter().importPaths(Repository.file("sro-runtime/agent/target/classes"));

    private static final JavaClasses PLUGINS = new ClassFileImporter()
            .importPaths(
                    Repository.file("sro-plugins-nvidia/target/classes"),
                    Repository.file("sro-plugins-simplekmod/target/classes"),
                    Repository.file("sro-plugins-solarflare/target/classes"));

    @Test
    void looksAtAllModules() {
        assertThat(List.of(
                        "api.State",
                        "core.engine.Engine",
                        "josdk.SpecialResourceReconciler",
                        "testkit.EmbeddedCluster",
                        "runtime.Main",
                        "runtime.demo.DemoCommand"))
                .allMatch(name -> MAIN.contain("dev.sro." + name));
        assertThat(PLUGINS.contain("dev.sro.plugins.simplekmod.SimpleKmodPlugin"))
                .isTrue();
        assertThat(PLUGINS.contain("dev.sro.plugins.solarflare.OnloadPlugin")).isTrue();
        assertThat(PLUGINS.contain("dev.sro.plugins.nvidia.NvidiaPlugin")).isTrue();
        assertThat(AGENT.contain("dev.sro.agent.slice.SliceKeeper")).isTrue();
        assertThat(MAIN.contain("dev.sro.plugins.simplekmod.SimpleKmodPlugin"))
                .as("the plugin is on the class path")
                .isFalse();
    }

    @Test
    void pluginsUseTheApiAlone() {
        classes()
                .that()
                .resideInAPackage("dev.sro.plugins..")
                .should()
                .onlyDependOnClassesThat(
                        not(resideInAPackage("dev.sro..")).or(resideInAnyPackage("dev.sro.plugins..", "dev.sro.api..")))
                .check(PLUGINS);
    }

    @Test
    void apiUsesNothingOfTheHouse() {
        classes()
                .that()
                .resideInAPackage("dev.sro.api..")
                .should()
                .onlyDependOnClassesThat(not(resideInAPackage("dev.sro..")).or(resideInAPackage("dev.sro.api..")))
                .check(MAIN);
    }

    @Test
    void coreUsesTheApiAlone() {
        classes()
                .that()
                .resideInAPackage("dev.sro.core..")
                .should()
                .onlyDependOnClassesThat(
                        not(resideInAPackage("dev.sro..")).or(resideInAnyPackage("dev.sro.api..", "dev.sro.core..")))
                .check(MAIN);
    }

    @Test
    void testkitDoesNotKnowTheRuntime() {
        noClasses()
                .that()
                .resideInAPackage("dev.sro.testkit..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("dev.sro.runtime..", "dev.sro.plugins.."))
                .check(MAIN);
    }

    /** So that the image of the operator has no simulated machines, no agent and no JUnit. */
    @Test
    void theOperatorNeedsNeitherTestkitNorAgent() {
        noClasses()
                .that()
                .resideInAPackage("dev.sro.runtime..")
                .and()
                .resideOutsideOfPackages(
                        "dev.sro.runtime.demo..", "dev.sro.runtime.dev..", "dev.sro.runtime.scaffold..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        HOUSE + "runtime.demo..",
                        HOUSE + "runtime.dev..",
                        HOUSE + "runtime.scaffold..",
                        HOUSE + "testkit.conformance..",
                        HOUSE + "testkit.contract..",
                        HOUSE + "testkit.controlplane..",
                        HOUSE + "testkit.junit..",
                        HOUSE + "testkit.monitoring..",
                        HOUSE + "testkit.node..",
                        HOUSE + "testkit.operator..",
                        HOUSE + "testkit.sim..",
                        HOUSE + "agent..",
                        "org.junit.."))
                .check(MAIN);
    }

    @Test
    void theMapHasEveryPackageAndNoOther() {
        assertThat(MAP).doesNotHaveDuplicates();
        assertThat(Stream.of(MAIN, AGENT, PLUGINS)
                        .flatMap(JavaClasses::stream)
                        .filter(type -> !type.getSimpleName().equals("package-info"))
                        .map(type -> type.getPackageName().substring(HOUSE.length()))
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(MAP);
    }

    @ParameterizedTest
    @FieldSource("MAP")
    void packagesUseOnlyThoseAboveThemOnTheMap(String name) {
        List<String> below = MAP.subList(MAP.indexOf(name) + 1, MAP.size());
        if (!below.isEmpty()) {
            noClasses()
                    .that()
                    .resideInAPackage(HOUSE + name)
                    .and()
                    .doNotHaveFullyQualifiedName(MAIN_CLASS)
                    .should()
                    .dependOnClassesThat(
                            resideInAnyPackage(below.stream().map(HOUSE::concat).toArray(String[]::new))
                                    .and(not(nameMatching(Pattern.quote(CLOCK) + "(\\$.*)?"))))
                    .check(classesOf(name));
        }
    }

    private static JavaClasses classesOf(String name) {
        if (name.startsWith("agent.") || name.equals("agent")) {
            return AGENT;
        }
        return name.startsWith("plugins.") ? PLUGINS : MAIN;
    }

    /** It runs on every node: what it does not need costs memory there. */
    @Test
    void theAgentUsesSlicingAndWhatIsPublishedOfItAlone() {
        classes()
                .that()
                .resideInAPackage("dev.sro.agent..")
                .should()
                .onlyDependOnClassesThat(not(resideInAPackage("dev.sro.."))
                        .or(resideInAnyPackage("dev.sro.agent..", CORE + "slicing..", CORE + "dra", CORE + "das")))
                .check(AGENT);
    }

    private static List<String> map() {
        try {
            String text = Files.readString(Repository.file("docs/architecture.md"));
            return ROW.matcher(text.substring(text.indexOf("## Every package")))
                    .results()
                    .map(row -> row.group(1))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void slicingKnowsNothingOfKubernetes() {
        noClasses()
                .that()
                .resideInAPackage(CORE + "slicing..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.fabric8..", "dev.sro.api..", "org.pf4j.."))
                .orShould()
                .dependOnClassesThat(resideInAPackage("dev.sro.core..").and(not(resideInAPackage(CORE + "slicing.."))))
                .check(MAIN);
    }

    /** So that an agent on a node, or a driver of somebody else, can have it without the engine. */
    @Test
    void draKnowsSlicingAndTheTypesOfItsApiAlone() {
        classes()
                .that()
                .resideInAnyPackage(CORE + "dra", CORE + "das")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "java..",
                        "org.jspecify.annotations",
                        "org.immutables.value",
                        "io.fabric8.kubernetes.api..",
                        CORE + "slicing..",
                        CORE + "dra",
                        CORE + "das"))
                .check(MAIN);
    }

    /** So that whoever reads charts, images or YAML has neither client nor engine nor plugins. */
    @Test
    void chartsAndRegistriesKnowNeitherClientNorPlugins() {
        String[] own = Stream.of("yaml", "lookup", "model", "outgoing", "recipe.chart", "recipe.source", "image")
                .map(CORE::concat)
                .toArray(String[]::new);
        classes()
                .that()
                .resideInAnyPackage(own)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(own)
                        .or(resideInAnyPackage(
                                "java..",
                                "javax.net.ssl",
                                "org.jspecify.annotations",
                                "org.immutables.value",
                                "org.slf4j..",
                                "org.snakeyaml.engine..",
                                "org.apache.hc.core5..",
                                "org.tukaani.xz",
                                "io.airlift.compress..",
                                "com.google.re2j",
                                "com.sun.management",
                                "com.marcnuri.helm",
                                "io.fabric8.kubernetes.api.model",
                                CORE + "recipe.gotemplate",
                                HOUSE + "api",
                                HOUSE + "api.resource",
                                HOUSE + "api.driver")))
                .check(MAIN);
    }

    /** What it decides on it is told; what it wants done it says. */
    @Test
    void theUpgradeMachineHasNoKubernetesClient() {
        noClasses()
                .that()
                .resideInAPackage(CORE + "upgrade.machine")
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.fabric8..", "dev.sro.api.resource.."))
                .check(MAIN);
    }

    /** It is a language, of use without the rest. */
    @Test
    void goTemplatesKnowNothingElse() {
        classes()
                .that()
                .resideInAPackage(CORE + "recipe.gotemplate")
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("java..", "org.jspecify.annotations", CORE + "recipe.gotemplate"))
                .check(MAIN);
    }

    /** It is a language, too. */
    @Test
    void celKnowsNothingElse() {
        classes()
                .that()
                .resideInAPackage(CORE + "cel")
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("java..", "org.jspecify.annotations", "com.google.re2j", CORE + "cel"))
                .check(MAIN);
    }

    /**
     * Threads are the caller's, so that none is left when an operator ends, and tests decide what runs when. Three are on the list: Helm's
     * process has its own, a call into a plugin that may never return has one that ends with it, and the front door makes those that an
     * embedder does not give it.
     */
    @Test
    void theCoreMakesNoThreads() {
        noClasses()
                .that()
                .resideInAPackage("dev.sro.core..")
                .and()
                .doNotHaveFullyQualifiedName(CORE + "recipe.chart.HelmWorker")
                .and()
                .doNotHaveFullyQualifiedName(CORE + "plugin.GuardedCalls")
                .and()
                .doNotHaveFullyQualifiedName(CORE + "embed.OperatorThreads")
                .should()
                .callConstructorWhere(target(owner(assignableTo(Thread.class))))
                .orShould()
                .dependOnClassesThat(belongToAnyOf(Executors.class, ForkJoinPool.class, Timer.class))
                .orShould()
                .callMethod(CompletableFuture.class, "supplyAsync", Supplier.class)
                .orShould()
                .callMethod(CompletableFuture.class, "runAsync", Runnable.class)
                .check(MAIN);
    }
}
