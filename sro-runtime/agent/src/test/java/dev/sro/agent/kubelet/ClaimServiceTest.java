package dev.sro.agent.kubelet;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.agent.cdi.ClaimSpecs;
import dev.sro.agent.cdi.EmulatedEdits;
import dev.sro.agent.device.DriverVersion;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.emulated.EmulatedDevices;
import dev.sro.agent.emulated.EmulatedGpus;
import dev.sro.agent.emulated.EmulatedNode;
import dev.sro.agent.file.LocalDisk;
import dev.sro.agent.slice.Checkpoint;
import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.ClaimSource;
import dev.sro.agent.slice.SliceKeeper;
import dev.sro.core.slicing.catalogue.Catalogue;
import io.grpc.Context;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of calls that kubelet gave up: it asked again since, and the claim may have something else by now. */
class ClaimServiceTest {
    private static final ClaimRef ONE = new ClaimRef("uid-one", "default", "one");
    private static final ClaimsRequest REQUEST = new ClaimsRequest(List.of(ONE));
    private static final String DEVICE = "gpu-0000-10-00-0-3g-20gb-0";

    private final List<ClaimRef> asked = new ArrayList<>();
    private final SliceKeeper keeper;
    private final ClaimService service;

    ClaimServiceTest(@TempDir Path state) throws IOException {
        keeper = new SliceKeeper(
                new EmulatedDevices(
                        "node",
                        new EmulatedNode(
                                new DriverVersion("580", "13.0"),
                                Duration.ZERO,
                                Duration.ZERO,
                                List.of(new EmulatedGpus(Catalogue.builtin().model("A100-40GB"), 1, GpuMode.SLICES)),
                                List.of()),
                        pause -> {}),
                Checkpoint.open(new LocalDisk(), state.resolve("checkpoint"), "boot"),
                new ClaimSpecs(new LocalDisk(), state.resolve("cdi"), new EmulatedEdits()));
        keeper.reconcile(claim -> ClaimSource.Standing.UNKNOWN);
        service = new ClaimService(
                keeper,
                claim -> {
                    asked.add(claim);
                    return List.of(new Allocation("a", "pool", DEVICE));
                },
                Runnable::run,
                status -> {});
    }

    private static Context givenUp() {
        Context.CancellableContext context = Context.current().withCancellation();
        context.cancel(null);
        return context;
    }

    private static String error(ClaimsResponse response) {
        return requireNonNull(response.results().get("uid-one")).error();
    }

    @Test
    void whatIsNotWaitedForIsNeitherMadeNorTakenBack() throws Exception {
        String given = "kubelet did not wait for the answer";
        assertThat(error(givenUp().call(() -> service.prepare(REQUEST)))).isEqualTo(given);
        assertThat(asked).isEmpty();
        assertThat(keeper.holdings()).isEmpty();

        assertThat(error(service.prepare(REQUEST))).isEmpty();
        assertThat(error(givenUp().call(() -> service.unprepare(REQUEST)))).isEqualTo(given);
        assertThat(keeper.holdings()).hasSize(1);
        assertThat(error(service.unprepare(REQUEST))).isEmpty();
        assertThat(keeper.holdings()).isEmpty();
    }
}
