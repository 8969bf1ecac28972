package dev.sro.agent.cdi;

import dev.sro.agent.slice.Holding;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** For devices that are not there: variables, and no device nodes. Stateless. */
public final class EmulatedEdits implements DeviceEdits {
    @Override
    public CdiEdits common(List<Holding> slices) {
        return new CdiEdits(
                Map.of(
                        "SRO_EMULATED_DEVICES",
                        slices.stream().map(Holding::uuid).collect(Collectors.joining(","))),
                List.of());
    }

    @Override
    public CdiEdits of(Holding slice) {
        return new CdiEdits(
                Map.of(
                        "SRO_EMULATED_DEVICE_" + slice.uuid().replace('-', '_'),
                        slice.place().toString()),
                List.of());
    }
}
