package dev.sro.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sro.api.driver.HostFile;
import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadExecutor;
import dev.sro.api.driver.LoadPlan;
import dev.sro.api.driver.SoftDependency;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.load.LoadState;
import dev.sro.core.manifest.RenderException;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.YamlWriter;
import dev.sro.testkit.EmbeddedCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Load plans as Modules of Kernel Module Management. */
class LoadModuleTest extends LoadObjectsWorld {

    @Test
    void aModuleOfKmmMeansTheSame() throws IOException {
        KubeObject module = objects(plan("kmm"), false).get(0);
        String text = YamlWriter.write(module.tree());
        Path file = FILES.resolve("kmm.yaml");
        if (UPDATE) {
            Files.writeString(file, text);
        }

        assertThat(text).isEqualTo(Files.readString(file));
        assertThat((module.ref().name() + module.ref().namespace()).length()).isLessThanOrEqualTo(41);
    }

    @Test
    void theDefinitionOfKmmTakesTheModule() throws IOException {
        Path definition =
                Path.of(String.valueOf(System.getenv("SRO_CORPUS")), "crds", "kmm.sigs.x-k8s.io_modules.yaml");
        assumeTrue(Files.exists(definition), "no corpus here: set SRO_CORPUS to the folder that has crds/");
        try (EmbeddedCluster cluster = EmbeddedCluster.builder().build()) {
            KubernetesClient client = cluster.client();
            client.resource(client.getKubernetesSerialization()
                            .unmarshal(Files.readString(definition), CustomResourceDefinition.class))
                    .create();
            client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName("gpu-ns")
                            .endMetadata()
                            .build())
                    .create();
            cluster.settle();
            KubeObject module = objects(plan("kmm"), false).get(0);

            GenericKubernetesResource stored = create(client, module);

            Map<String, Object> spec =
                    ValueTrees.map(new Fabric8Codec(client.getKubernetesSerialization()).toTree(stored), "spec");
            assertThat(spec).as("nothing is pruned").isEqualTo(module.map("spec"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hostFiles",
                "blacklist",
                "kernelArguments",
                "inTreeToLoad",
                "firmwareTarget",
                "unloadOrder",
                "softDependencies",
                "parameters",
                "onlyOnNodesWith",
                "inTree",
                "raw"
            })
    void whatAModuleCannotSayIsRefusedByItsField(String field) {
        LoadPlan.Builder plan = LoadPlan.builder().executor(LoadExecutor.KMM_MODULE);
        KernelModule last = KernelModule.of("b");
        switch (field) {
            case "hostFiles" -> plan.addHostFiles(new HostFile("/a", "/b/c", true));
            case "blacklist" -> plan.addBlacklist("x");
            case "kernelArguments" -> plan.addKernelArguments("x");
            case "inTreeToLoad" -> plan.addInTreeToLoad("x");
            case "firmwareTarget" -> plan.firmwareSource("/fw").firmwareTarget("/fw");
            case "unloadOrder" -> plan.unloadOrder(List.of("a", "b"));
            case "softDependencies" -> plan.addSoftDependencies(new SoftDependency("a", List.of("b"), List.of()));
            default -> {
                // In a module, below.
            }
        }
        KernelModule.Builder first = KernelModule.builder().name("a");
        switch (field) {
            case "parameters" -> first.addParameters("x=1");
            case "onlyOnNodesWith" -> first.putOnlyOnNodesWith("x", "y");
            case "inTree" -> first.inTree(true);
            case "raw" -> first.addRawLoadArguments("a").addRawUnloadArguments("a");
            default -> {
                // In the plan, above.
            }
        }
        plan.addModules(first.build(), last);

        String named = List.of("parameters", "onlyOnNodesWith", "inTree", "raw").contains(field) ? "modules" : field;
        assertThatThrownBy(() -> objects(plan.build(), false))
                .isInstanceOfSatisfying(
                        RenderException.class,
                        e -> assertThat(e.problem().code()).isEqualTo("LoadPlanNotPossible"))
                .hasMessageStartingWith("LoadPlan." + named + ": a Module of KMM cannot say");
    }

    @Test
    void aModuleNeedsRoomForItsName() {
        LoadPlan plan = plan("kmm");

        assertThatThrownBy(() -> new LoadState()
                        .objects(context("gpu", false), "a-very-long-namespace-indeed", POOL, driver(plan)))
                .hasMessageContaining("set a shorter spec.namespace");
    }
}
