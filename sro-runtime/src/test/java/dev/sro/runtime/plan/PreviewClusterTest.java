package dev.sro.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.Cli;
import dev.sro.runtime.HttpSandbox;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that look ahead, on a cluster. */
class PreviewClusterTest {

    @TempDir
    private Path folder;

    private HttpSandbox on;

    @BeforeEach
    void readyCluster() throws IOException {
        on = new HttpSandbox(folder);
        on.node("a", "one");
        on.sandbox.apply(HttpSandbox.resource("one"));
        assertThat(on.sandbox.runUntil(Duration.ofMinutes(30), () -> on.sandbox.isReady("one")))
                .isTrue();
        on.sandbox.kill();
        on.sandbox.cluster().recording().start();
    }

    @AfterEach
    void close() {
        on.close();
    }

    private Cli run(String command, String... args) {
        List<String> all =
                new ArrayList<>(List.of("--plugins", folder.resolve("plugins").toString()));
        all.addAll(List.of(args));
        Cli cli = on.run(command, all.toArray(String[]::new));
        assertThat(on.sandbox.cluster().recording().entries(entry -> entry.isWrite()))
                .as("writes of " + command)
                .isEmpty();
        return cli;
    }

    private DaemonSet driver() {
        return on.sandbox.client().apps().daemonSets().inNamespace("one").list().getItems().stream()
                .filter(set -> set.getMetadata().getName().contains("driver-container"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void nothingDiffersOfWhatIsReady() {
        Cli diff = run("diff", "one");
        assertThat(diff.err()).isEmpty();
        assertThat(diff.out()).isEmpty();
        assertThat(diff.code()).isZero();

        Cli plan = run("plan");
        assertThat(plan.code()).isZero();
        assertThat(plan.out())
                .contains("serves 1 node in 1 pool", "State 2000-validation: ready")
                .contains("Now: 0 to create, 0 to change, 0 to delete.");

        Cli render = run("render", "one");
        assertThat(render.code()).isZero();
        assertThat(render.out())
                .contains("uid: \""
                        + on.sandbox.get("one").orElseThrow().getMetadata().getUid())
                .contains("name: " + driver().getMetadata().getName());
    }

    @Test
    void showsWhatSomebodyChangedAndNothingElse() {
        on.sandbox.client().resource(driver()).edit(set -> {
            set.getMetadata().getAnnotations().put("of-somebody", "else");
            set.getSpec().getTemplate().getSpec().getContainers().get(0).setImage("example.com/other:1");
            return set;
        });
        on.sandbox.cluster().recording().start();

        Cli diff = run("diff", "one");

        assertThat(diff.code()).isEqualTo(1);
        assertThat(diff.out().lines().filter(line -> line.matches("[-+] .*")))
                .hasSize(2)
                .anySatisfy(line -> assertThat(line).matches("-\\s+image: \"example.com/other:1\""))
                .anySatisfy(line -> assertThat(line).matches("\\+\\s+image: .*"));
        assertThat(diff.out())
                .startsWith("--- live apps/v1/DaemonSet one/")
                .contains("+++ desired apps/v1/DaemonSet one/");
    }

    @Test
    void showsWhatAFileWouldChange() throws IOException {
        Path changed = Files.writeString(
                folder.resolve("cr.yaml"), HttpSandbox.resource("one").replace("\"one\"}", "\"nowhere\"}"));

        Cli gone = run("diff", "-f", changed.toString());

        assertThat(gone.code()).isEqualTo(1);
        assertThat(gone.out())
                .contains(
                        "--- live apps/v1/DaemonSet one/"
                                + driver().getMetadata().getName(),
                        "+++ /dev/null");

        Path other = Files.writeString(folder.resolve("other.yaml"), HttpSandbox.resource("two"));
        on.node("b", "two");
        on.sandbox.settle();
        on.sandbox.cluster().recording().start();
        Cli fresh = run("diff", "-f", other.toString());
        assertThat(fresh.code()).isEqualTo(1);
        assertThat(fresh.out())
                .contains("--- /dev/null", "+++ desired v1/Namespace two")
                .doesNotContain("\n-a", "\n- ");
    }

    @Test
    void saysWhyItCannotTell() throws IOException {
        Cli none = run("diff", "three");
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).isEqualTo("sro: NAME: there is no special resource three\n");

        Path dead = Files.writeString(
                folder.resolve("dead"),
                Files.readString(Path.of(on.kubeconfig)).replaceFirst("127.0.0.1:\\d+", "127.0.0.1:1"));
        Cli away = Cli.run("render", "--kubeconfig", dead.toString());
        assertThat(away.code()).isEqualTo(2);
        assertThat(away.err()).startsWith("sro: http://127.0.0.1:1/: no answer: ");
    }

    @Test
    void podsThatAreKeptAreNotAnnouncedToGo() {
        on.sandbox.start();
        on.node("b", "two");
        on.sandbox
                .client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("two")
                        .endMetadata()
                        .build())
                .create();
        on.sandbox
                .client()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("two")
                        .withName("two")
                        .endMetadata()
                        .addToData("0000-driver.yaml", """
                            apiVersion: apps/v1
                            kind: DaemonSet
                            metadata: {name: driver, annotations: {specialresource.openshift.io/wait: "true"}}
                            spec:
                              selector: {matchLabels: {app: driver}}
                              template:
                                metadata: {labels: {app: driver}}
                                spec: {containers: [{name: main, image: "registry.example.com/driver:1"}]}
                            """)
                        .addToData("0001-validation.yaml", """
                            apiVersion: v1
                            kind: Pod
                            metadata: {name: check, annotations: {specialresource.openshift.io/wait: "true"}}
                            spec:
                              restartPolicy: Never
                              nodeSelector: {example.com/device: two}
                              containers: [{name: check, image: "registry.example.com/check:1"}]
                            """)
                        .build())
                .create();
        on.sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: two}
            spec: {namespace: two, nodeSelector: {example.com/device: two}}
            """);
        assertThat(on.sandbox.runUntil(Duration.ofMinutes(30), () -> on.sandbox.isReady("two")))
                .isTrue();
        on.sandbox.kill();
        on.sandbox.cluster().recording().start();

        assertThat(run("plan", "--recipe-account=", "two").out())
                .contains("Now: 0 to create, 0 to change, 0 to delete. Later: 0 to create, 0 to change, 0 to delete.");
        assertThat(run("diff", "--recipe-account=", "two").out()).isEmpty();
    }
}
