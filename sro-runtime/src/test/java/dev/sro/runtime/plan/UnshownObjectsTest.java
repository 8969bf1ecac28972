package dev.sro.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.runtime.Cli;
import dev.sro.runtime.VendorJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of states whose image is not known, and of a plugin that does not answer. */
class UnshownObjectsTest {

    private static final String SOURCE = """
        package builder;

        import dev.sro.api.*;
        import dev.sro.api.driver.*;
        import java.util.Optional;

        public final class Builder implements AcceleratorPlugin, ImageResolver, BuildPlanner {
            private static final String SET = %s
                apiVersion: apps/v1
                kind: DaemonSet
                metadata:
                  name: WHICH
                  annotations: {specialresource.openshift.io/kernel-affine: "true"}
                spec:
                  template:
                    spec:
                      containers:
                      - {name: it, image: "${driverImage}"}
                %s;

            public PluginDescriptor descriptor() {
                return PluginDescriptor.of("builder", "2.1.0", "Builder Inc.");
            }

            public StateGraph states(RecipeContext context) {
                while (context.config().containsKey("hang")) {
                    try {
                        Thread.sleep(100_000);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        return StateGraph.chain();
                    }
                }
                return StateGraph.chain(state("1000-driver"), state("2000-validation"));
            }

            private static State state(String id) {
                return State.of(id, ManifestTemplate.text(id, SET.replace("WHICH", id.substring(5))));
            }

            public ImageCandidates images(RecipeContext context, Pool pool) {
                return ImageCandidates.of(
                    ImageCandidate.of(ImageCandidate.Kind.PREBUILT, "quay.io/vendor/driver:" + pool.kernelLabel()),
                    ImageCandidate.of(ImageCandidate.Kind.BUILD, "registry.acme.example/driver:" + pool.kernelLabel()));
            }

            public Optional<BuildPlan> buildPlan(RecipeContext context, Pool pool, ImageCandidate image) {
                return Optional.of(BuildPlan.builder().dockerfile("FROM scratch").pushTo(image.reference()).build());
            }
        }
        """.formatted("\"\"\"", "\"\"\"");

    private static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: card}
        spec:
          namespace: card
          plugin: {name: builder, config: {%s}}
          nodeSelector: {example.com/card: "true"}
        """;

    @TempDir
    private static Path plugins;

    @TempDir
    private Path folder;

    private Path resource;

    @BeforeAll
    static void compile() {
        VendorJar.write(plugins, "Builder", SOURCE);
    }

    @BeforeEach
    void resource() throws IOException {
        resource = Files.writeString(folder.resolve("card.yaml"), RESOURCE.formatted(""));
    }

    private Cli run(String command, String... more) {
        List<String> args = new ArrayList<>(List.of(
                command,
                "-f",
                resource.toString(),
                "--kernel",
                "5.15.0-91-generic",
                "--os-image",
                "Ubuntu 22.04.3 LTS",
                "--plugins",
                plugins.toString()));
        args.addAll(List.of(more));
        return Cli.run(args.toArray(String[]::new));
    }

    @Test
    void planNamesTheStatesWhoseImageIsNotKnownAndHowToHaveThem() {
        Cli cli = run("plan");

        assertThat(cli.code()).isZero();
        assertThat(cli.out())
                .containsSubsequence(
                        "State 1000-driver",
                        "not shown, as it waits: LookingForImage: ",
                        "quay.io/vendor/driver:",
                        "State 2000-validation",
                        "not shown",
                        "Not shown, or not in all pools: 1000-driver, 2000-validation.",
                        "--image-exists IMAGE",
                        "--assume-built");
    }

    @Test
    void planIsAProgramsToReadToo() throws IOException {
        JsonNode plan = new ObjectMapper().readTree(run("plan", "-o", "json").out());

        assertThat(plan.findPath("notShown")).hasSize(2);
        assertThat(plan.findPath("notShown").get(0).get("state").asText()).isEqualTo("1000-driver");
        assertThat(plan.findPath("notShown").get(0).get("reason").asText()).isEqualTo("LookingForImage");
    }

    @Test
    void renderSaysWhatIsMissingAndFails() {
        Cli cli = run("render");

        assertThat(cli.code()).isEqualTo(1);
        assertThat(cli.out()).doesNotContain("DaemonSet");
        assertThat(cli.err()).contains("card, state 1000-driver", "not rendered, as it waits", "--assume-built");
    }

    @Test
    void lintDoesNotCountWhatItDidNotLookAtAsFree() {
        Cli cli = run("lint");

        assertThat(cli.code()).isZero();
        assertThat(cli.out())
                .contains("note NotLookedAt, card, state 1000-driver")
                .endsWith("; not all was looked at: see card state 1000-driver, card state 2000-validation\n");
        assertThat(run("lint", "--assume-built").out()).endsWith("0 notes\n");
    }

    @Test
    void diffSaysWhatIsNotComparedAndDoesNotPassForEqual() {
        Cli cli = run("diff");

        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err()).contains("card, state 1000-driver", "not compared, as it waits");
    }

    @Test
    void whatIsToBeTakenAsBuiltIsShown() {
        Cli cli = run("render", "--assume-built");

        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).isZero();
        assertThat(cli.out()).contains("quay.io/vendor/driver:5.15.0-91-generic");
    }

    @Test
    void theImageThatExistsDecidesWhenThoseBeforeItAreMissing() {
        Cli cli = run("render", "--image-missing", "quay.io/*", "--image-exists", "registry.acme.example/driver:*");

        assertThat(cli.err()).isEmpty();
        assertThat(cli.out()).contains("registry.acme.example/driver:5.15.0-91-generic");
    }

    @Test
    void theBuildIsShownWhenNoImageIsThere() {
        Cli cli = run("plan", "--image-missing", "*");

        assertThat(cli.out()).contains("+ Job card/", "not shown, as it waits: ImageNotBuilt");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plan", "render", "lint", "diff"})
    @Timeout(60)
    void aPluginThatHangsIsAProblemAndNotAHang(String command) throws IOException {
        Files.writeString(resource, RESOURCE.formatted("hang: true"));

        Cli cli = run(command, "--plugin-deadline", "1");

        assertThat(cli.out() + cli.err())
                .contains("PluginTimeout", "plugin builder: states did not return within 1000 ms");
        assertThat(cli.code()).isNotZero();
    }
}
