package dev.sro.agent.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.agent.kubelet.PluginHandler;
import dev.sro.core.das.AllocationClaim;
import dev.sro.core.das.ClaimPod;
import dev.sro.core.das.ClaimState;
import dev.sro.core.das.DasNames;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an agent says of a node and of promises. */
class PromisesTest {
    private final PromisesWorld on;

    PromisesTest(@TempDir Path folder) throws Exception {
        on = new PromisesWorld(folder);
    }

    @AfterEach
    void close() throws IOException {
        on.close();
    }

    @Test
    void theInventoryIsWrittenOwnedByTheNodeAndSaysWhatIsClosed() throws IOException {
        GenericKubernetesResource object = on.client
                .genericKubernetesResources(PromisesWorld.NODES)
                .inNamespace("sro-agent")
                .withName("n1")
                .require();
        assertThat(object.getMetadata().getOwnerReferences().get(0).getKind()).isEqualTo("Node");
        assertThat(on.inventory().gpus()).singleElement().satisfies(one -> {
            assertThat(one.uuid()).isEqualTo(on.gpu.uuid());
            assertThat(one.model()).isEqualTo("A100-40GB");
            assertThat(one.closed()).isEmpty();
            assertThat(Objects.requireNonNull(one.profiles().get("3g.20gb")).starts())
                    .containsExactly(0, 4);
        });
        String version = object.getMetadata().getResourceVersion();
        on.now = on.now.plus(Duration.ofHours(1));
        on.plugins.look();
        assertThat(on.client.resource(object).get().getMetadata().getResourceVersion())
                .as("nothing new is not written")
                .isEqualTo(version);

        on.run("nobody-promised", "1g.5gb", 0);
        assertThat(on.inventory().gpus().get(0).closed()).contains("without a promise", "1g.5gb at 0");
        on.used.clear();
        on.now = on.now.plus(Duration.ofMinutes(2));
        on.plugins.look();
        on.plugins.look();
        assertThat(on.inventory().gpus().get(0).closed()).isEmpty();
        on.offered = false;
        on.plugins.look();
        on.plugins.look();
        assertThat(on.inventory().gpus()).allMatch(one -> !one.closed().isEmpty());
    }

    @Test
    void aClaimWhoseSliceIsThereOutlivesItsPodUntilTheSliceIsGone() throws Exception {
        AllocationClaim claim = on.promise("a", "3g.20gb", 4, 4);
        on.run("a", "3g.20gb", 4);
        assertThat(on.claims()).singleElement().satisfies(one -> {
            assertThat(one.state()).isEqualTo(ClaimState.IN_USE);
            assertThat(one.finalizers()).containsExactly(DasNames.FINALIZER);
        });
        assertThat(on.inventory().gpus().get(0).closed()).isEmpty();

        on.client.pods().inNamespace("default").withName("a").withGracePeriod(0).delete();
        on.client
                .genericKubernetesResources(PromisesWorld.CLAIMS)
                .inNamespace("default")
                .withName(claim.name())
                .delete();
        on.plugins.look();
        assertThat(on.claims()).as("the slice is there").singleElement().matches(AllocationClaim::leaving);
        on.used.clear();
        on.now = on.now.plus(Duration.ofMinutes(2));
        on.plugins.look();
        on.plugins.look();
        on.plugins.look();
        assertThat(on.devices.instances(on.gpu.address())).isEmpty();
        assertThat(on.claims()).isEmpty();
        assertThat(on.log).isEmpty();
    }

    /** Containers get their slices one after the other: nobody else gets the place of the second one in between. */
    @Test
    void aPodThatHasItsFirstSliceKeepsThePromiseOfTheSecond() throws Exception {
        AllocationClaim first = on.promise("a", "1g.5gb", 6, 1);
        AllocationClaim second =
                AllocationClaim.promise(first.pod(), "second", 0, "n1", on.gpu.uuid(), "3g.20gb", 0, 4);
        on.client.resource(second.object()).create();
        on.plugins.look();
        on.run("a", "1g.5gb", 6);

        PluginHandler other = Objects.requireNonNull(on.handlers.get(DasNames.resource("2g.10gb")));
        List<String> place =
                List.of(PluginPlace.of(on.gpu.address(), "2g.10gb", 0).id());
        assertThatThrownBy(() -> other.allocate(place))
                .hasMessageContaining("2g.10gb at 0")
                .hasMessageContaining("cannot be had beside");
        on.run("a", "3g.20gb", 0);
        assertThat(on.claims()).hasSize(2).allMatch(claim -> claim.state() == ClaimState.IN_USE);
    }

    /** Kubelet takes another place than it is advised to: the promise is had, and its place is free for others. */
    @Test
    void aPromiseIsHadThoughKubeletChoseAnotherPlace() throws Exception {
        AllocationClaim promise = on.promise("a", "1g.5gb", 6, 1);
        assertThat(OpenPromises.of(List.of(promise), Map.of(), List.of(on.gpu))).containsExactly(promise);
        String id = PluginPlace.of(on.gpu.address(), "1g.5gb", 2).id();
        assertThat(OpenPromises.of(List.of(promise), Map.of(id, "default/a"), List.of(on.gpu)))
                .isEmpty();
        assertThat(OpenPromises.of(List.of(promise), Map.of(id, "default/b"), List.of(on.gpu)))
                .containsExactly(promise);
    }

    /** A Job's pod stays as an object when it has ended; what it had is others'. */
    @Test
    void aPodThatEndsGivesItsPlaceBackThoughItIsStillThere() throws Exception {
        on.promise("a", "1g.5gb", 3, 1);
        on.run("a", "1g.5gb", 3);
        on.used.clear();
        on.now = on.now.plus(Duration.ofMinutes(2));
        for (int i = 0; i < 4; i++) {
            on.plugins.look();
        }
        assertThat(on.claims()).isEmpty();
        assertThat(on.client.pods().inNamespace("default").withName("a").get()).isNotNull();
    }

    /** P1 of DAS: what was promised to a pod that never ran was never given back. */
    @Test
    void aPromiseWhosePodHasEndedWithoutItGoes() {
        on.promise("a", "1g.5gb", 3, 1);
        on.now = on.now.plus(Duration.ofMinutes(1));
        on.plugins.look();
        assertThat(on.claims()).as("its pod may come yet").hasSize(1);

        on.client.pods().inNamespace("default").withName("a").editStatus(pod -> {
            pod.getStatus().setPhase("Failed");
            return pod;
        });
        on.now = on.now.plus(Duration.ofMinutes(1));
        on.plugins.look();
        assertThat(on.claims()).isEmpty();
    }

    @Test
    void othersFinalizersAndClaimsOfOtherNodesAreLeftAlone() throws Exception {
        AllocationClaim claim = on.promise("a", "1g.5gb", 3, 1);
        on.client
                .genericKubernetesResources(PromisesWorld.CLAIMS)
                .inNamespace("default")
                .withName(claim.name())
                .edit(live -> {
                    live.getMetadata().setFinalizers(new ArrayList<>(List.of("example.com/mine")));
                    return live;
                });
        on.client
                .resource(AllocationClaim.promise(
                                new ClaimPod("default", "b", "uid-b"), "main", 0, "n2", "GPU-2", "1g.5gb", 0, 1)
                        .object())
                .create();
        on.run("a", "1g.5gb", 3);
        on.used.clear();
        on.now = on.now.plus(Duration.ofMinutes(2));
        for (int i = 0; i < 4; i++) {
            on.plugins.look();
        }
        assertThat(on.claims()).hasSize(2).anySatisfy(one -> {
            assertThat(one.leaving()).isTrue();
            assertThat(one.finalizers()).containsExactly("example.com/mine");
        });
    }

    /** What DAS made for a pod that runs on is destroyed when that has ended, not before. */
    @Test
    void aSliceThatWasTakenOverGoesWhenItsPodHasEnded() throws Exception {
        int instance = on.devices.createGpuInstance(
                on.gpu.address(), on.gpu.profile("1g.5gb").orElseThrow(), 3);
        var unused = on.devices.createComputeInstance(on.gpu.address(), instance);
        AllocationClaim claim = on.promise("a", "1g.5gb", 3, 1);
        on.client
                .genericKubernetesResources(PromisesWorld.CLAIMS)
                .inNamespace("default")
                .withName(claim.name())
                .edit(live -> {
                    live.getMetadata().setFinalizers(new ArrayList<>(List.of(DasNames.TAKEN_OVER)));
                    return live;
                });
        for (int i = 0; i < 3; i++) {
            on.now = on.now.plus(Duration.ofMinutes(1));
            on.plugins.look();
        }
        assertThat(on.devices.instances(on.gpu.address())).as("its pod runs").hasSize(1);
        assertThat(on.inventory().gpus().get(0).closed()).isEmpty();
        assertThat(on.claims()).hasSize(1);

        on.client.pods().inNamespace("default").withName("a").withGracePeriod(0).delete();
        for (int i = 0; i < 3; i++) {
            on.now = on.now.plus(Duration.ofMinutes(1));
            on.plugins.look();
        }
        assertThat(on.devices.instances(on.gpu.address())).isEmpty();
        assertThat(on.claims()).isEmpty();
    }
}
