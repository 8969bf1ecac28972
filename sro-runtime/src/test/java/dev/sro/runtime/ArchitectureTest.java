package dev.sro.runtime;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The directions of the house: plugins -> api <- core <- testkit <- runtime, and the order of the core's packages. */
class ArchitectureTest {

    private static final String CORE = "dev.sro.core.";

    /** In the order in which data passes through them; a package uses only those before it. */
    private static final List<String> CORE_ORDER = List.of(
            "cel",
            "lookup",
            "model",
            "slicing",
            "facts",
            "pool",
            "plugin",
            "monitoring",
            "recipe",
            "feature",
            "partition",
            "image",
            "driver",
            "manifest",
            "release",
            "probe",
            "build",
            "cdi",
            "load",
            "runtimehook",
            "upgrade",
            "rollout",
            "plan",
            "apply",
            "engine",
            "preflight",
            "module",
            "client");

    /** Inside of slicing; "" is the package itself. */
    private static final List<String> SLICING_ORDER = List.of(
            "input", "catalogue", "geometry", "policy", "fleet", "pack", "defrag", "", "mig", "render", "simulate");

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.sro");

    private static final JavaClasses PLUGINS = new ClassFileImporter()
            .importPaths(
                    Path.of("..", "sro-plugins-simplekmod", "target", "classes"),
                    Path.of("..", "sro-plugins-solarflare", "target", "classes"));

    @Test
    void looksAtAllModules() {
        assertThat(List.of("api.State", "core.engine.Engine", "testkit.EmbeddedCluster", "runtime.Main"))
                .allMatch(name -> MAIN.contain("dev.sro." + name));
        assertThat(PLUGINS.contain("dev.sro.plugins.simplekmod.SimpleKmodPlugin"))
                .isTrue();
        assertThat(PLUGINS.contain("dev.sro.plugins.solarflare.OnloadPlugin")).isTrue();
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

    @ParameterizedTest
    @FieldSource("CORE_ORDER")
    void packagesOfTheCoreUseOnlyThoseBeforeThem(String name) {
        String[] allowed = CORE_ORDER.subList(0, CORE_ORDER.indexOf(name) + 1).stream()
                .map(before -> CORE + before + "..")
                .toArray(String[]::new);
        classes()
                .that()
                .resideInAPackage(CORE + name + "..")
                .should()
                .onlyDependOnClassesThat(not(resideInAPackage("dev.sro.core..")).or(resideInAnyPackage(allowed)))
                .check(MAIN);
    }

    @Test
    void slicingKnowsNothingOfKubernetesAndKeepsItsOrder() {
        noClasses()
                .that()
                .resideInAPackage(CORE + "slicing..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.fabric8..", "dev.sro.api..", "org.pf4j.."))
                .check(MAIN);
        for (int i = 0; i < SLICING_ORDER.size(); i++) {
            String[] later = SLICING_ORDER.subList(i + 1, SLICING_ORDER.size()).stream()
                    .map(ArchitectureTest::slicing)
                    .toArray(String[]::new);
            if (later.length > 0) {
                noClasses()
                        .that()
                        .resideInAPackage(slicing(SLICING_ORDER.get(i)))
                        .should()
                        .dependOnClassesThat(resideInAnyPackage(later))
                        .allowEmptyShould(true)
                        .check(MAIN);
            }
        }
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
     * Threads are the caller's, so that none is left when an operator ends, and tests decide what runs when. Two are on the list: Helm's
     * process has its own, and a call into a plugin that may never return has one that ends with it.
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

    private static String slicing(String name) {
        return CORE + "slicing" + (name.isEmpty() ? "" : "." + name);
    }

    @Test
    void everyPackageOfTheCoreHasAPlaceInTheOrder() {
        assertThat(MAIN.stream()
                        .map(type -> type.getPackageName())
                        .filter(name -> name.startsWith(CORE))
                        .map(name -> name.substring(CORE.length()).replaceFirst("\\..*", "")))
                .isSubsetOf(CORE_ORDER);
    }
}
