package dev.sro.core.slicing.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.Decision.Granted;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceClaim;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.SliceRequest;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.fixture.Peers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** 240 placements that the DAS scheduler plugin itself made. */
class DasRuleTest {
    @Test
    void placesAsDasDid() {
        List<String> lines = Peers.lines("das-placements.csv");
        for (String line : lines) {
            String[] fields = line.split(",", -1);
            DasRule.Verdict verdict = DasRule.filter(
                    table(fields[0]),
                    gpus(table(fields[0]), Integer.parseInt(fields[1]), words(fields[2])),
                    words(fields[3]));
            assertThat(verdict.schedulable()).as(line).isEqualTo(!fields[4].equals("none"));
            if (verdict.schedulable()) {
                assertThat(verdict.slots())
                        .extracting(slot -> slot.gpu() + ":" + slot.profile() + ":" + slot.start())
                        .as(line)
                        .isEqualTo(words(fields[4]));
            }
            assertThat(verdict.score()).as(line).isEqualTo(Integer.parseInt(fields[5]));
        }
        assertThat(lines).hasSize(240);
    }

    @Test
    void theAllocatorTakesTheEmptiestNodeAndThereTheFirstPlace() {
        SliceAllocator allocator = SliceAllocator.create(Policies.dasCompatible());
        for (int i = 0; i < 6; i++) {
            allocator.addDevice(SliceDevice.of("gpu-" + i, Models.a100(), "node-" + i / 2));
        }
        List<SliceClaim> claims = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            claims.add(((Granted) allocator.allocate(SliceRequest.of("c" + i, i == 4 ? "7g.40gb" : "1g.5gb"))).claim());
        }
        assertThat(claims)
                .extracting(claim -> claim.device() + ":" + claim.start())
                .containsExactly(
                        "gpu-0:0", "gpu-2:0", "gpu-4:0", "gpu-0:1", "gpu-3:0", "gpu-4:1", "gpu-0:2", "gpu-4:2",
                        "gpu-0:3");
    }

    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : Arrays.asList(text.split(" ", -1));
    }

    private static List<DasRule.Gpu> gpus(DeviceModel table, int count, List<String> existing) {
        int[] occupied = new int[count];
        boolean[] staged = new boolean[count];
        for (String slice : existing) {
            String[] parts = slice.split(":", -1);
            int gpu = Integer.parseInt(parts[0]);
            int size = table.profile(parts[1]).orElseThrow().size();
            occupied[gpu] |= ((1 << size) - 1) << Integer.parseInt(parts[2]);
            staged[gpu] |= parts[3].equals("staged");
        }
        return IntStream.range(0, count)
                .mapToObj(gpu -> new DasRule.Gpu(occupied[gpu], staged[gpu]))
                .toList();
    }

    /** The tables of DAS' emulated inventory; that of the A30 has a profile that the hardware has not. */
    private static DeviceModel table(String model) {
        return switch (model) {
            case "A30-24GB" ->
                DeviceModel.builder()
                        .key(model)
                        .memoryUnits(4)
                        .addProfiles(Models.profile("1g.6gb", 1, 1, 0, 1, 2, 3))
                        .addProfiles(Models.profile("2g.12gb", 2, 2, 0, 2))
                        .addProfiles(Models.profile("3g.24gb", 3, 4, 0))
                        .addProfiles(Models.profile("4g.24gb", 4, 4, 0))
                        .build();
            case "H100-PCIE-80GB" -> seven(model, "1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb");
            case "H200-SXM5-141GB" -> seven(model, "1g.18gb", "1g.35gb", "2g.35gb", "3g.71gb", "4g.71gb", "7g.141gb");
            default -> seven(model, "1g.5gb", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb");
        };
    }

    private static DeviceModel seven(String model, String... names) {
        DeviceModel.Builder builder = DeviceModel.builder().key(model).memoryUnits(8);
        for (int i = 0; i < names.length; i++) {
            builder.addProfiles(SliceProfile.builder()
                    .from(Models.a100().profiles().get(i))
                    .name(names[i])
                    .build());
        }
        return builder.build();
    }
}
