package dev.sro.runtime.slices;

import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.runtime.UnusableInputException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The time at which a fleet is looked at. */
final class FleetTime {
    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "Give back reservations that lapse by then, such as 2026-01-31T12:00:00Z. Default: none.")
    private @Nullable String at;

    SliceAllocator read(Path fleet, Catalogue catalogue, PlacementPolicy policy) {
        SliceAllocator allocator = SliceAllocator.restore(Inputs.document(fleet), catalogue, policy);
        if (at != null) {
            allocator.expire(time(at));
        }
        return allocator;
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new UnusableInputException("--at", "\"" + text + "\" is not a time such as 2026-01-31T12:00:00Z");
        }
    }
}
