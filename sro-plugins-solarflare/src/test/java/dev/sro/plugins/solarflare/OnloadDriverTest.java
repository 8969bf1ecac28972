package dev.sro.plugins.solarflare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sro.api.RecipeContext;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadPlan;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which image has the modules of a kernel, how it is built, and how they are loaded. */
class OnloadDriverTest {

    private final OnloadPlugin plugin = new OnloadPlugin();

    @Test
    void theFirstMappingForAKernelIsTakenAsForKernelModuleManagement() {
        RecipeContext context = Onload.settings("""
            onload:
              userImage: registry.example/user:1
              kernelMappings:
              - {regexp: '^6\\.', kernelModuleImage: "registry.example/module:six"}
              - {regexp: 'el9', kernelModuleImage: "registry.example/module:${KERNEL_FULL_VERSION}-$KERNEL_X", sfc: {}}
              - {regexp: '.*', kernelModuleImage: "registry.example/module:other"}
            devicePlugin: {devicePluginImage: "registry.example/device-plugin:3"}
            """);

        assertThat(plugin.images(context, Onload.pool()).candidates())
                .extracting(ImageCandidate::reference, ImageCandidate::kind)
                .containsExactly(
                        tuple("registry.example/module:5.14.0-427.50.1.el9_4.x86_64-5", ImageCandidate.Kind.PREBUILT));
        assertThat(modules(plugin.loadPlan(context, Onload.pool()))).containsExactly("sfc", "sfc_resource", "onload");
    }

    private static List<String> modules(LoadPlan plan) {
        return plan.modules().stream().map(KernelModule::name).toList();
    }

    @Test
    void withoutAMappingTheReasonIsTold() {
        RecipeContext context = Onload.settings(Onload.MINIMUM.replace("5.14", "6.14"));

        assertThat(plugin.images(context, Onload.pool()).none().orElseThrow().message())
                .isEqualTo("spec.plugin.config.onload.kernelMappings: none is for kernel 5.14.0-427.50.1.el9_4.x86_64+;"
                        + " add one, or leave its nodes out with spec.nodeSelector");
    }

    @Test
    void withoutSfcTheDriverOfTheKernelStays() {
        LoadPlan plan = plugin.loadPlan(Onload.settings(Onload.MINIMUM), Onload.pool());

        assertThat(modules(plan)).containsExactly("sfc_resource", "onload");
        assertThat(plan.inTreeToRemove()).isEmpty();
        assertThat(plan.hostFiles()).isEmpty();
        assertThat(plan.firmwareSource()).isEmpty();
    }

    @Test
    void parametersAndControlPlaneAreSettings() {
        LoadPlan plan = plugin.loadPlan(Onload.settings("""
            onload:
              kernelMappings: [{regexp: '.', kernelModuleImage: "registry.example/module:1", sfc: {}}]
              moduleParameters: {sfc: [piobuf_size=0], onload: [cplane_server_path=/x]}
            devicePlugin: {devicePluginImage: "registry.example/device-plugin:3", hostOnloadPath: /var/lib/onload/}
            """), Onload.pool());

        assertThat(plan.modules().get(0).parameters()).containsExactly("piobuf_size=0");
        assertThat(plan.modules().get(2).parameters())
                .containsExactly("cplane_server_params=-K", "cplane_server_path=/x");
        assertThat(plan.hostFiles())
                .as("in the image of the modules, without a userImage")
                .singleElement()
                .satisfies(file -> {
                    assertThat(file.source()).isEqualTo("/opt/onload");
                    assertThat(file.target()).isEqualTo("/var/lib/onload");
                    assertThat(file.removeOnUnload()).isTrue();
                });
        LoadPlan off = plugin.loadPlan(
                Onload.settings(Onload.MINIMUM.replace("userImage", "controlPlane: {enabled: false}\n  userImage")),
                Onload.pool());
        assertThat(off.modules().get(1).parameters()).containsExactly("cplane_spawn_server=0");
    }

    @Test
    void buildsOfTheVendorsSourceOrWithADockerfileOfTheUser() {
        RecipeContext source = Onload.settings("""
            onload:
              userImage: registry.example/user:1
              kernelMappings:
              - regexp: '.'
                kernelModuleImage: "registry.example/module:1"
                build:
                  sourceImage: registry.example/source:1
                  buildArgs: [{name: ONLOAD_BUILD_PARAMS, value: --debug}]
            devicePlugin: {devicePluginImage: "registry.example/device-plugin:3"}
            """);
        ImageCandidate image = plugin.images(source, Onload.pool()).candidates().get(0);
        assertThat(image.kind()).isEqualTo(ImageCandidate.Kind.BUILD);
        BuildPlan plan = plugin.buildPlan(source, Onload.pool(), image).orElseThrow();
        assertThat(plan.pushTo()).isEqualTo("registry.example/module:1");
        assertThat(plan.dockerfile()).contains("scripts/onload_build --kernel");
        assertThat(plan.arguments())
                .containsEntry("ONLOAD_SOURCE", "registry.example/source:1")
                .containsEntry("ONLOAD_BUILD_PARAMS", "--debug")
                .containsEntry("OS_ID", "rhel")
                .containsEntry("OS_VERSION", "9.4");

        RecipeContext own = Onload.settings(Onload.MINIMUM.replace(
                "kernelModuleImage:", "build: {dockerfileConfigMap: {name: mine}}, kernelModuleImage:"));
        BuildPlan mine = plugin.buildPlan(
                        own,
                        Onload.pool(),
                        plugin.images(own, Onload.pool()).candidates().get(0))
                .orElseThrow();
        assertThat(mine.dockerfileConfigMap()).contains("mine");
        assertThat(mine.dockerfile()).isEmpty();
    }
}
