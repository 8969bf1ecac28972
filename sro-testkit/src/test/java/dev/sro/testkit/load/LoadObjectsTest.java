package dev.sro.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.driver.HostFile;
import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadExecutor;
import dev.sro.api.driver.LoadPlan;
import dev.sro.core.driver.PoolDriver;
import dev.sro.core.load.LoadState;
import dev.sro.core.load.WorkerPods;
import dev.sro.core.load.WorkerTask;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.YamlWriter;
import dev.sro.testkit.EmbeddedCluster;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The objects of each executor on each platform, as files; and an API server takes them. */
class LoadObjectsTest extends LoadObjectsWorld {

    @ParameterizedTest
    @CsvSource({
        "daemonset,false",
        "daemonset,true",
        "daemonset-rich,false",
        "worker,false",
        "worker,true",
        "worker-rich,false",
        "host,false",
        "host,true"
    })
    void objectsAreAsTheFilesSay(String name, boolean openShift) throws IOException {
        String text = objects(plan(name), openShift).stream()
                .map(object -> YamlWriter.write(shown(object).tree()))
                .collect(Collectors.joining("---\n"));
        Path file = FILES.resolve(name + (openShift ? "-openshift" : "") + ".yaml");
        if (UPDATE) {
            Files.createDirectories(FILES);
            Files.writeString(file, text);
        }
        assertThat(text).isEqualTo(Files.readString(file));
    }

    @ParameterizedTest
    @ValueSource(strings = {"daemonset", "daemonset-rich", "worker", "worker-rich", "host"})
    void anApiServerTakesThem(String name) {
        for (boolean openShift : List.of(false, true)) {
            try (EmbeddedCluster cluster =
                    EmbeddedCluster.builder().openShift(openShift).build()) {
                KubernetesClient client = cluster.client();
                client.resource(new NamespaceBuilder()
                                .withNewMetadata()
                                .withName("gpu-ns")
                                .endMetadata()
                                .build())
                        .create();
                for (KubeObject object : objects(plan(name), openShift)) {
                    create(client, object);
                    if (WorkerPods.isTemplate(object)) {
                        create(client, worker(object, WorkerTask.Task.UNLOAD));
                    }
                }
            }
        }
    }

    @Test
    void workerPodsKnowTheirNodeAndItsBoot() {
        KubeObject template = objects(plan("worker"), false).get(1);

        KubeObject load = worker(template, WorkerTask.Task.LOAD);
        KubeObject unload = worker(template, WorkerTask.Task.UNLOAD);

        assertThat(load.map("spec"))
                .containsEntry("nodeName", "node-1")
                .containsEntry("restartPolicy", "OnFailure")
                .doesNotContainKeys("nodeSelector", "tolerations");
        Map<String, Object> container = unload.maps("spec", "containers").get(0);
        assertThat(String.valueOf(container.get("command"))).endsWith(", unload]");
        assertThat(ValueTrees.maps(container, "env").get(1)).containsEntry("value", "boot-1");
        assertThat(unload.map("spec").get("tolerations")).isEqualTo(List.of(Map.of("operator", "Exists")));
        assertThat(WorkerTask.parse(unload.annotation(MetadataKeys.WORK).orElseThrow()))
                .isPresent();
    }

    @Test
    void theScriptOfAPodIsAShellScript() throws IOException, InterruptedException {
        for (KubeObject object : objects(plan("daemonset-rich"), false)) {
            for (Map<String, Object> container : object.maps("spec", "template", "spec", "containers")) {
                String script = String.valueOf(
                                ValueTrees.maps(container, "env").get(0).get("value"))
                        .replace("$$", "$");
                Process shell = new ProcessBuilder("/bin/sh", "-n", "-c", script)
                        .inheritIO()
                        .start();
                assertThat(shell.waitFor(20, TimeUnit.SECONDS)).isTrue();
                assertThat(shell.exitValue()).isZero();
            }
        }
    }

    @Test
    void anotherParameterIsAnotherConfiguration() {
        KubeObject one = objects(plan("worker"), false).get(1);
        LoadPlan changed =
                with(LoadPlan.of(KernelModule.of("base"), KernelModule.of("gpu", "level=4")), LoadExecutor.WORKER_POD);
        KubeObject other = objects(changed, false).get(1);

        assertThat(other.ref()).isNotEqualTo(one.ref());
        assertThat(objects(plan("worker"), false).get(1)).isEqualTo(one);
    }

    @Test
    void namesFitHoweverLongThatOfTheSpecialResourceIs() {
        for (LoadExecutor executor :
                List.of(LoadExecutor.DRIVER_DAEMON_SET, LoadExecutor.WORKER_POD, LoadExecutor.KMM_MODULE)) {
            List<KubeObject> objects = new LoadState()
                    .objects(context("a".repeat(200), false), "gpu-ns", POOL, driver(with(SIMPLE, executor)));

            assertThat(objects)
                    .allSatisfy(object -> assertThat(object.ref().name())
                            .hasSizeLessThanOrEqualTo(
                                    executor == LoadExecutor.KMM_MODULE
                                            ? 34
                                            : executor == LoadExecutor.WORKER_POD ? 63 : 46));
        }
    }

    @Test
    void filesDirectlyUnderTheRootAreRefused() {
        LoadPlan plan = LoadPlan.builder()
                .addModules(KernelModule.of("a"))
                .addHostFiles(new HostFile("/a", "/b", true))
                .build();

        assertThatThrownBy(() -> objects(plan, false)).hasMessageContaining("directly under the root");
    }

    @Test
    void whereThereIsNothingToDoThereIsNoState() {
        LoadState state = new LoadState();

        assertThat(state.isFor(PoolDriver.NONE)).isFalse();
        assertThat(state.isFor(driver(LoadPlan.hostProvided()))).isFalse();
        assertThat(state.isFor(driver(with(SIMPLE, LoadExecutor.OWN_STATES)))).isFalse();
        assertThat(state.isFor(driver(SIMPLE))).isTrue();
    }
}
