package dev.sro.runtime.slices;

import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.runtime.InputException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The fleet that a command looks at. */
final class FleetInput {
    @Mixin
    private Inputs inputs = new Inputs();

    @Parameters(paramLabel = "FLEET", description = "Fleet file, YAML or JSON; - for standard input.")
    private Path fleet = Path.of("");

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "Give back reservations that lapse by then, such as 2026-01-31T12:00:00Z. Default: none.")
    private @Nullable String at;

    SliceAllocator read() {
        return read(Policies.standard());
    }

    SliceAllocator read(PlacementPolicy policy) {
        SliceAllocator allocator = SliceAllocator.restore(Inputs.document(fleet), inputs.catalogue(), policy);
        if (at != null) {
            allocator.expire(time(at));
        }
        return allocator;
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new InputException("--at", "\"" + text + "\" is not a time such as 2026-01-31T12:00:00Z");
        }
    }
}
