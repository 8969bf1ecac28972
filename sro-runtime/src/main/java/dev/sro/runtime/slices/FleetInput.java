package dev.sro.runtime.slices;

import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.core.slicing.policy.Policies;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The fleet that a command looks at. */
final class FleetInput {
    @Mixin
    private Inputs inputs = new Inputs();

    @Parameters(paramLabel = "FLEET", description = "Fleet file, YAML or JSON; - for standard input.")
    private Path fleet = Path.of("");

    @Mixin
    private FleetTime time = new FleetTime();

    SliceAllocator read() {
        return read(Policies.standard());
    }

    SliceAllocator read(PlacementPolicy policy) {
        return time.read(fleet, inputs.catalogue(), policy);
    }
}
