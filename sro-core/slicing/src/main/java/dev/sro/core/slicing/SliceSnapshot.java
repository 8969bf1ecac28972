package dev.sro.core.slicing;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.input.InputDocument;
import dev.sro.core.slicing.input.InputException;
import dev.sro.core.slicing.policy.Policies;
import java.nio.file.Path;
import java.util.List;

/**
 * All state of an allocator. As text it is a fleet file: JSON or YAML of the schema {@value #SCHEMA}, described by
 * {@code slicing-fleet-v1.schema.json}. A file names models by key, so that the catalogue that it is read with must know them.
 *
 * @param devices in the order in which they were added
 * @param claims by name
 */
public record SliceSnapshot(List<SliceDevice> devices, List<SliceClaim> claims) {
    /** The value of {@code schema} in a fleet file. */
    public static final String SCHEMA = "sro.dev/slicing-fleet/v1";

    /** Copies both lists. */
    public SliceSnapshot {
        devices = List.copyOf(devices);
        claims = List.copyOf(claims);
    }

    /**
     * Reads a fleet file.
     *
     * @throws InputException with every error in it, each naming file, line, device and field
     */
    public static SliceSnapshot read(Path file, Catalogue catalogue) {
        return read(InputDocument.read(file), catalogue);
    }

    /**
     * Reads a fleet file.
     *
     * @throws InputException with every error in it, each naming document, line, device and field
     */
    public static SliceSnapshot read(InputDocument document, Catalogue catalogue) {
        return SnapshotReader.read(document, catalogue, Policies.standard()).snapshot();
    }

    /** As {@link SliceAllocator#stateHash} of an allocator in this state. */
    public long stateHash() {
        return StateHash.compute(devices, claims);
    }

    /** The fleet file as JSON, with the state hash, so that a change by hand or by another catalogue is seen when it is read. */
    public String toJson() {
        return SnapshotWriter.write(this);
    }
}
