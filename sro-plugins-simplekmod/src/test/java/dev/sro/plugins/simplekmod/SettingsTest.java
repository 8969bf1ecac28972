package dev.sro.plugins.simplekmod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.contract.RenderedPlugin;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What users get to hear. */
class SettingsTest {

    @Test
    void namesEverythingThatIsWrongAtOnceAndMakesNothing() {
        RenderedPlugin rendered = Kmod.onKubernetes(
                Map.of("registry", "registry.example/", "driverToolkit", "dtk", "regsitry", "x"),
                Map.of("kmodNames", List.of("a.ko", "b"), "buildArgs", List.of(Map.of("name", "1"), "A=b")));

        assertThat(rendered.objects()).isEmpty();
        assertThat(rendered.problems())
                .allMatch(problem -> problem.code().equals("InvalidKmodSettings"))
                .extracting(problem -> problem.message())
                .containsExactlyInAnyOrder(
                        "spec.plugin.config.registry: \"registry.example/\" must be a registry, such as"
                                + " registry.example:5000/drivers, without a slash at the end",
                        "spec.plugin.config.driverToolkit: \"dtk\" must be an image with a tag or digest, for example"
                                + " registry.example/driver:1.0",
                        "spec.plugin.config.regsitry: is not known; there are [after, alerts, cacheClaim,"
                                + " driverToolkit, plainRegistries, proveOn, pushSecret, registry]. Correct or remove it",
                        "spec.set.kmodNames: \"a.ko\" must be the name of a kernel module, without path and without"
                                + " .ko",
                        "spec.set.buildArgs: {name=1} must be {name: NAME, value: VALUE}",
                        "spec.set.buildArgs: A=b must be {name: NAME, value: VALUE}");
    }

    @Test
    void registriesWithoutTlsAreHosts() {
        assertThat(Kmod.onKubernetes(Map.of("plainRegistries", List.of("http://r:5000", "r:5000/a")), Map.of())
                        .problems())
                .extracting(problem -> problem.message())
                .containsExactlyInAnyOrder(
                        "spec.plugin.config.plainRegistries: \"http://r:5000\" must be a host of a registry, such as"
                                + " registry.example:5000",
                        "spec.plugin.config.plainRegistries: \"r:5000/a\" must be a host of a registry, such as"
                                + " registry.example:5000");
        assertThat((String) Kmod.onKubernetes(Map.of("plainRegistries", List.of("mirror:5000")), Map.of())
                        .get("ConfigMap", "simple-kmod-driver-build")
                        .get("data", "buildkitd.toml"))
                .endsWith("[registry.\"mirror:5000\"]\n  http = true\n  insecure = true\n");
    }

    @Test
    void listsMustBeLists() {
        RenderedPlugin rendered = Kmod.onKubernetes(Map.of("registry", 5), Map.of("kmodNames", "a"));

        assertThat(rendered.problems())
                .extracting(problem -> problem.message())
                .containsExactlyInAnyOrder(
                        "spec.plugin.config.registry: must be text that is not empty",
                        "spec.set.kmodNames: must be a list");
    }

    @Test
    void whatIsSaidOfOtherVendorsOfNodesAndOfAlertsIsChecked() {
        RenderedPlugin rendered = Kmod.onKubernetes(
                Map.of(
                        "after",
                        List.of("Network", "n".repeat(53)),
                        "proveOn",
                        Map.of("example.com/canary", true, "a b", "c"),
                        "alerts",
                        "yes"),
                Map.of());

        assertThat(rendered.objects()).isEmpty();
        assertThat(rendered.problems())
                .extracting(problem -> problem.message())
                .hasSize(5)
                .anyMatch(text -> text.startsWith("spec.plugin.config.after: \"Network\" must be"))
                .anyMatch(text -> text.endsWith("may have 52 characters at most"))
                .anyMatch(text -> text.startsWith("spec.plugin.config.proveOn: \"a b\""))
                .contains(
                        "spec.plugin.config.proveOn.example.com/canary: true is no text; put it in quotes",
                        "spec.plugin.config.alerts: must be true or false");
    }

    @Test
    void theSourceIsNeeded() {
        assertThat(Kmod.problemsWithoutSource())
                .containsExactly(
                        "spec.driverContainer.source.git.uri: is missing; name the repository of the modules",
                        "spec.driverContainer.source.git.ref: is missing; name a branch, a tag or a commit");
    }
}
