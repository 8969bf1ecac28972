package dev.sro.plugins.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ClusterFacts;
import dev.sro.api.KernelVersion;
import dev.sro.api.OsRelease;
import dev.sro.api.Pool;
import dev.sro.api.RecipeContext;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidates;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Images of the driver: tags by version, kernel and system, and their order. */
class DriverImagesTest {

    private static Pool pool(String kernel, String os, String version, Map<String, String> key) {
        return new Pool(
                "pool",
                "abc",
                new KernelVersion(kernel),
                new OsRelease(os, version),
                "amd64",
                new TreeMap<>(key),
                List.of());
    }

    private static ImageCandidates images(ClusterFacts cluster, String config, Pool pool) {
        return new NvidiaPlugin().images(Gpus.context(cluster, config), pool);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "driver-images.txt", delimiter = '|', numLinesToSkip = 1)
    void imagesAreTriedInThisOrder(
            String platform, String config, String kernel, String os, String version, String wanted) {
        ClusterFacts cluster = platform.equals("openshift") ? Gpus.openShift() : Gpus.kubernetes();

        ImageCandidates images = images(cluster, config, pool(kernel, os, version == null ? "" : version, Map.of()));

        assertThat(
                        images.none().isPresent()
                                ? "none: " + images.none().get().code()
                                : images.candidates().stream()
                                        .map(image -> image.kind() + " "
                                                + image.reference().replace("nvcr.io/nvidia/driver", "…"))
                                        .collect(Collectors.joining(", ")))
                .isEqualTo(wanted);
    }

    @Test
    void aNodeOfOpenShiftHasTheReleaseThatItRunsAndNotThatOfTheCluster() {
        ImageCandidates images = images(
                Gpus.openShift(),
                "{driver: {usePrecompiled: false}}",
                pool("5.14.0-1.el9", "rhcos", "9.4", Map.of("release", "4.18")));

        assertThat(images.candidates().get(0).reference()).endsWith("-rhcos4.18");
    }

    @Test
    void whatIsMissingIsBuiltOnThePublishedImage() {
        RecipeContext context = Gpus.context(
                Gpus.kubernetes(),
                "{driver: {build: {pushTo: registry.example/driver, pushSecret: push}, kernelModuleType: open,"
                        + " imagePullSecrets: [pull]}}");
        Pool pool = pool("5.15.0-91-generic", "ubuntu", "22.04", Map.of());
        NvidiaPlugin plugin = new NvidiaPlugin();
        ImageCandidate missing = plugin.images(context, pool).candidates().stream()
                .filter(image -> image.kind() == ImageCandidate.Kind.BUILD)
                .findFirst()
                .orElseThrow();

        BuildPlan plan = plugin.buildPlan(context, pool, missing).orElseThrow();

        assertThat(plan.baseImage()).contains("nvcr.io/nvidia/driver:580.126.20-ubuntu22.04");
        assertThat(plan.pushTo()).isEqualTo("registry.example/driver:580.126.20-5.15.0-91-generic-ubuntu22.04");
        assertThat(plan.pushSecret()).contains("push");
        assertThat(plan.pullSecrets()).containsExactly("pull");
        assertThat(plan.arguments()).containsEntry("KERNEL_MODULE_TYPE", "open");
        assertThat(plan.dockerfile()).contains("ARG BASE_IMAGE", "ARG KERNEL_FULL_VERSION");
    }

    @Test
    void theDigestOfTheDriverChangesWithWhatIsInstalledOnly() {
        String usual = DriverDigest.compute(Gpus.settings("{}"));

        assertThat(List.of(
                        "{driver: {repository: mirror.example/nvidia}}",
                        "{driver: {resources: {limits: {memory: 1Gi}}}}",
                        "{driver: {startupProbe: {failureThreshold: 7}}}",
                        "{driver: {imagePullSecrets: [a]}}",
                        "{toolkit: {version: v2}}"))
                .allSatisfy(config ->
                        assertThat(DriverDigest.compute(Gpus.settings(config))).isEqualTo(usual));
        assertThat(List.of(
                        "{driver: {version: 570.1}}",
                        "{driver: {kernelModuleType: open}}",
                        "{driver: {rdma: {enabled: true}}}",
                        "{driver: {kernelModuleConfig: {name: a}}}",
                        "{driver: {env: [{name: A, value: b}]}}",
                        "{gds: {enabled: true}}"))
                .allSatisfy(config ->
                        assertThat(DriverDigest.compute(Gpus.settings(config))).isNotEqualTo(usual))
                .extracting(config -> DriverDigest.compute(Gpus.settings(config)))
                .doesNotHaveDuplicates();
    }
}
