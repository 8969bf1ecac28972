package dev.sro.plugins.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ClusterFacts;
import dev.sro.api.Problem;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Settings: what is wrong is said with field and fix, and what ClusterPolicy has can be pasted. */
class ConfigTest {

    private static List<Problem> problems(String config) {
        return new NvidiaPlugin().validate(Gpus.context(Gpus.kubernetes(), config));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "config-errors.txt", delimiter = '|', numLinesToSkip = 1)
    void whatIsWrongIsNamedWithTheFix(String config, String code, String message) {
        assertThat(problems(config)).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(code);
            assertThat(problem.message()).isEqualTo("spec.plugin.config." + message);
            assertThat(problem.owner()).isEqualTo(Problem.Owner.USER);
        });
    }

    @Test
    void whatAClusterPolicyUsuallyHasIsTaken() {
        assertThat(problems("""
            {cdi: {enabled: true, default: false}, mig: {strategy: single},
             daemonsets: {updateStrategy: RollingUpdate, rollingUpdate: {maxUnavailable: "1"}},
             operator: {defaultRuntime: crio, use_ocp_driver_toolkit: true, initContainer: {image: cuda}, runtimeClass: nvidia},
             driver: {enabled: true, repository: nvcr.io/nvidia, image: driver, version: 550.163.01,
                      imagePullSecrets: [a], usePrecompiled: false, kernelModuleType: auto,
                      rdma: {enabled: false, useHostMofed: false}, manager: {env: [{name: A, value: b}]},
                      startupProbe: {failureThreshold: 120, initialDelaySeconds: 60}},
             toolkit: {enabled: true, installDir: /usr/local/nvidia, env: [{name: X, value: "1"}]},
             devicePlugin: {enabled: true, config: {name: "", default: ""}, resources: {limits: {memory: 1Gi}}},
             dcgm: {enabled: true}, dcgmExporter: {enabled: true, serviceMonitor: {enabled: true, interval: 15s}},
             gfd: {enabled: true, args: ["--oneshot"]}, migManager: {enabled: true, config: {name: "", default: ""}},
             validator: {plugin: {env: [{name: WITH_WORKLOAD, value: "false"}]}},
             nodeStatusExporter: {enabled: false}, gds: {enabled: false}, sandboxWorkloads: {enabled: false}}
            """)).isEmpty();
    }

    @Test
    void everyMistakeIsToldAtOnce() {
        assertThat(problems("{driver: {versoin: 1, enabled: maybe}, dra: {enabled: 7}}"))
                .hasSize(3);
    }

    @Test
    void dynamicResourceAllocationNeedsAClusterThatHasIt() {
        ClusterFacts without = ClusterFacts.builder()
                .from(Gpus.openShift())
                .servedKinds(Set.of("apps/v1/DaemonSet"))
                .build();
        assertThat(new NvidiaPlugin().validate(Gpus.context(without, "{dra: {enabled: true}}")))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message())
                        .startsWith("spec.plugin.config.dra.enabled: the cluster does not serve resource.k8s.io/v1"));
    }

    @Test
    void aLayoutThatNobodyBringsIsNamedWithThoseThatThereAre() {
        assertThat(problems("{migManager: {config: {default: all-1g.5g}}}"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message())
                        .startsWith("spec.plugin.config.migManager.config.default: \"all-1g.5g\" is not among")
                        .contains("all-1g.5gb, ", "all-balanced", "all-disabled", "migManager.config.name"));
        assertThat(problems("{migManager: {config: {default: mine, name: layouts}}}"))
                .isEmpty();
    }

    @Test
    void usualFormsOfImagesAreTaken() {
        assertThat(problems("{toolkit: {repository: 'localhost:5000/a_b/c--d', image: x.y, version: V1_2-3},"
                        + " driver: {version: 'sha256:" + "0".repeat(64) + "'},"
                        + " validator: {image: 'mirror.example:8443/a/b:1@sha256:" + "a".repeat(64) + "'},"
                        + " gfd: {repository: mirror.example}}"))
                .isEmpty();
    }

    @Test
    void anImageIsOverriddenPartByPart() {
        assertThat(Gpus.settings("{toolkit: {version: v9}}").reference("toolkit"))
                .isEqualTo("nvcr.io/nvidia/k8s/container-toolkit:v9");
        assertThat(Gpus.settings("{toolkit: {repository: mirror.example/a}}").reference("toolkit"))
                .startsWith("mirror.example/a/container-toolkit:v1.");
        assertThat(Gpus.settings("{toolkit: {image: mirror.example/b/toolkit:x}}")
                        .reference("toolkit"))
                .isEqualTo("mirror.example/b/toolkit:x");
        String digest = "sha256:" + "0".repeat(64);
        assertThat(Gpus.settings("{toolkit: {version: '" + digest + "'}}").reference("toolkit"))
                .isEqualTo("nvcr.io/nvidia/k8s/container-toolkit@" + digest);
    }

    @Test
    void theImagesThatAMirrorNeedsAreThoseOfTheCatalogue() {
        assertThat(new NvidiaPlugin().descriptor().relatedImages())
                .hasSizeGreaterThan(15)
                .contains("nvcr.io/nvidia/driver:580.126.20-ubuntu22.04", "nvcr.io/nvidia/k8s-device-plugin:v0.19.3")
                .allMatch(image -> image.contains(":"));
    }
}
