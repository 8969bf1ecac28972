package dev.sro.core.slicing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.fixture.Models;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A claim that waits asks again and again; the default policy learns from what is asked for, not from how often. */
class RecentRefusalsTest {
    private static final DeviceModel A100 = Models.a100();
    private static final int DEVICES = 10;

    @Test
    void askingAgainChangesNothingOfWhereOthersGo() {
        SliceAllocator patient = fleet();
        SliceAllocator asking = fleet();
        SplittableRandom random = new SplittableRandom(5);
        List<String> held = new ArrayList<>();
        int refused = 0;
        for (int number = 0; number < 1_500; number++) {
            if (!held.isEmpty() && random.nextInt(100) < 48) {
                String gone = held.remove(random.nextInt(held.size()));
                patient.release(gone);
                asking.release(gone);
            } else {
                SliceRequest request = SliceRequest.of(
                        "claim-" + number,
                        A100.profiles()
                                .get(random.nextInt(A100.profiles().size()))
                                .name());
                if (patient.allocate(request) instanceof Decision.Granted) {
                    asking.allocate(request);
                    held.add(request.claim());
                } else {
                    refused++;
                    for (int time = 0; time < 20; time++) {
                        assertThat(asking.allocate(request)).isInstanceOf(Decision.Refused.class);
                    }
                }
            }
            assertThat(asking.claims()).as("after event %d", number).isEqualTo(patient.claims());
        }
        assertThat(refused).isGreaterThan(50);
    }

    private static SliceAllocator fleet() {
        SliceAllocator allocator = SliceAllocator.create();
        for (int device = 0; device < DEVICES; device++) {
            allocator.addDevice(SliceDevice.of("gpu-" + device, A100, "node"));
        }
        return allocator;
    }

    @Test
    void aClaimThatGotASliceIsAnotherRequestWhenItIsRefusedLater() {
        RecentRefusals refusals = new RecentRefusals();
        assertThat(refusals.isFirst("a")).isTrue();
        assertThat(refusals.isFirst("a")).isFalse();
        assertThat(refusals.hadWaited("a")).isTrue();
        assertThat(refusals.hadWaited("a")).isFalse();
        assertThat(refusals.isFirst("a")).isTrue();
    }

    @Test
    void aCopyGoesItsOwnWay() {
        RecentRefusals refusals = new RecentRefusals();
        refusals.isFirst("a");
        RecentRefusals copy = refusals.copy();
        assertThat(copy.isFirst("a")).isFalse();
        assertThat(copy.isFirst("b")).isTrue();
        assertThat(refusals.isFirst("b")).isTrue();
    }

    @Test
    void remembersSomeThousandsAndNotMore() {
        RecentRefusals refusals = new RecentRefusals();
        for (int claim = 0; claim < 5_000; claim++) {
            assertThat(refusals.isFirst("claim-" + claim)).isTrue();
        }
        assertThat(refusals.isFirst("claim-4999")).isFalse();
        assertThat(refusals.isFirst("claim-0")).isTrue();
    }
}
