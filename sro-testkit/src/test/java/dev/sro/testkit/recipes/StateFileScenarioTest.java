package dev.sro.testkit.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The life of special resources whose recipes are numbered manifests with Go templates, on OpenShift. */
class StateFileScenarioTest extends StateFileWorld {

    @Test
    void aSpecialResourceWithoutRecipeFindsTheConfigMapOfItsName() {
        sandbox.nodes().create("three", NODE.withKernel(K2));
        installKmod();
        awaitReady("example-kmod");

        assertThat(daemonSets("example-kmod"))
                .as("one driver for each kernel, although the recipe knows of one")
                .containsExactly(
                        "example-kmod-device-plugin",
                        "example-kmod-driver-container-rhel8-" + K1_HASH,
                        "example-kmod-driver-container-rhel8-" + K2_HASH);
        assertThat(sandbox.simulation().registry().pushes()).hasSize(2).allMatch(image -> image.contains(":v4.18.0"));
    }

    @Test
    void nodesAreLabelledByGroupAndTheNextStateFollowsTheLabel() {
        installKmod();
        awaitReady("example-kmod");

        for (String node : List.of("one", "two")) {
            assertThat(label(node, "specialresource.openshift.io/driver-container-example-kmod"))
                    .isEqualTo("ready");
            assertThat(label(node, "specialresource.openshift.io/device-plugin-example-kmod"))
                    .isEqualTo("ready");
        }

        sandbox.client()
                .resources(SpecialResource.class)
                .withName("example-kmod")
                .delete();
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.get("example-kmod").isEmpty()))
                .isTrue();
        sandbox.run(Duration.ofMinutes(2));
        assertThat(label("one", "specialresource.openshift.io/driver-container-example-kmod"))
                .isEqualTo("null");
        assertThat(daemonSets("example-kmod")).isEmpty();
        assertThat(sandbox.client()
                        .configMaps()
                        .inNamespace("example-kmod")
                        .withName("example-kmod")
                        .get())
                .as("the recipe is the user's")
                .isNotNull();
    }

    @Test
    void templatesInTheSpecialResourceAreExecutedForEachKernel() {
        sandbox.nodes().create("three", NODE.withKernel(K2));
        installKmod();
        awaitReady("example-kmod");

        assertThat(sandbox.client()
                        .genericKubernetesResources("build.openshift.io/v1", "BuildConfig")
                        .inNamespace("example-kmod")
                        .list()
                        .getItems())
                .extracting(build -> "" + build.<Object>get("spec", "strategy", "dockerStrategy", "buildArgs"))
                .containsExactlyInAnyOrder(
                        "[{name=KVER, value=" + K1 + "}, {name=FLAVOUR, value=example}]",
                        "[{name=KVER, value=" + K2 + "}, {name=FLAVOUR, value=example}]");
    }

    @Test
    void makesNoRequestWhenNothingChangesAndNoWriteAfterARestart() {
        installKmod();
        awaitReady("example-kmod");
        sandbox.run(Duration.ofMinutes(1));
        sandbox.cluster().recording().start();

        sandbox.run(Duration.ofHours(2));
        assertThat(sandbox.cluster()
                        .recording()
                        .entries(e -> e.userAgent().equals("sro") && !e.verb().equals("watch")))
                .isEmpty();

        sandbox.kill();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(5));
        assertThat(sandbox.cluster().recording().entries(e -> e.userAgent().equals("sro") && e.isWrite()))
                .isEmpty();
    }

    @Test
    void aChangedConfigMapIsAChangedRecipe() {
        installKmod();
        awaitReady("example-kmod");
        Map<String, String> changed = manifests("example-kmod");
        changed.computeIfPresent("2000-device-plugin.yaml", (name, text) -> text.replace("plugin:1", "plugin:2"));

        put(map("example-kmod", "example-kmod", changed));
        sandbox.run(Duration.ofMinutes(5));

        assertThat(sandbox.isReady("example-kmod")).isTrue();
        assertThat(image("example-kmod", "example-kmod-device-plugin")).isEqualTo("registry.example.com/plugin:2");
    }

    @Test
    void aLabelledConfigMapSaysOnWhichNodesItsHardwareIs() {
        sandbox.nodes().create("three", NODE.withLabel("feature.node.kubernetes.io/pci-1af4.present", "true"));
        installGpu();
        awaitReady("example-gpu");

        assertThat(daemonSets("gpu")).containsExactly("example-gpu-driver-container-" + K1_HASH);
        assertThat(image("gpu", "example-gpu-driver-container-" + K1_HASH))
                .isEqualTo("registry.example.com/driver:1-" + K1);
        assertThat(label("three", "specialresource.openshift.io/driver-container-example-gpu"))
                .isEqualTo("ready");
        assertThat(label("one", "specialresource.openshift.io/driver-container-example-gpu"))
                .isEqualTo("null");
        assertThat(condition("example-gpu", "Warning")
                        .map(Condition::getMessage)
                        .orElse(""))
                .contains("REPLACE_PROM_URL");
    }

    @Test
    void dashboardsGetTheClustersPrometheusAndScriptsStayAsTheyAre() {
        namespace("openshift-monitoring");
        sandbox.client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace("openshift-monitoring")
                        .withName("grafana-datasources")
                        .endMetadata()
                        .addToStringData("prometheus.yaml", """
                            {"apiVersion": 1, "datasources": [{"name": "prometheus",
                             "url": "https://prometheus-k8s:9091", "basicAuthUser": "internal", "basicAuthPassword": "example"}]}
                            """)
                        .build())
                .create();
        sandbox.nodes().create("three", NODE.withLabel("feature.node.kubernetes.io/pci-1af4.present", "true"));
        installGpu();
        awaitReady("example-gpu");

        Map<String, String> data = sandbox.client()
                .configMaps()
                .inNamespace("gpu")
                .withName("example-gpu-device-grafana")
                .get()
                .getData();
        assertThat(data.get("prometheus.yml"))
                .isEqualTo("url: https://prometheus-k8s:9091\nbasicAuthUser: internal\nbasicAuthPassword: example\n");
        assertThat(data.get("script")).isEqualTo("echo \"$KERNEL_FULL_VERSION {{.Title}}\"");
    }
}
