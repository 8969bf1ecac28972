package dev.sro.core.dra;

import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.List;

/**
 * What a node is to publish, and what has to be written for it. Immutable; the objects of the API are the caller's own.
 *
 * @param slices all slices of the pool as they are to be
 * @param create those that the server does not have
 * @param update those that differ from what the server has, with the {@code resourceVersion} that they replace. Within one generation each
 *     write stands alone, in any order; with a new one all slices are written
 * @param delete names of slices that are to go, after everything was written
 * @param generation of the pool
 * @param change what differs from what the server has
 * @param countersDropped whether the server threw counters away that were published: partitionable devices are switched off there, and
 *     nothing keeps two claims from one place. Take the slices away and say so
 * @param taintsDropped whether the server threw taints away that were published: taints of devices are switched off there, and its scheduler gives
 *     away what {@link DraOptions#authoritative()} keeps for SRO. Take the slices away and say so
 * @param notes what a person should know: counters left out, devices that are published though their GPU is not there
 */
public record DraPublication(
        List<ResourceSlice> slices,
        List<ResourceSlice> create,
        List<ResourceSlice> update,
        List<String> delete,
        long generation,
        Change change,
        boolean countersDropped,
        boolean taintsDropped,
        List<String> notes) {
    /** What differs from what the server has. */
    public enum Change {
        /** Nothing is to be written. */
        NONE,
        /** The order of devices and their loss classes alone: worth a write when there is time, see {@link PublishRule}. */
        ORDER,
        /** What can be had: to be written now. */
        CONTENT
    }

    /** Copies the lists. */
    public DraPublication {
        slices = List.copyOf(slices);
        create = List.copyOf(create);
        update = List.copyOf(update);
        delete = List.copyOf(delete);
        notes = List.copyOf(notes);
    }

    /** How many requests the change takes. */
    public int writes() {
        return create.size() + update.size() + delete.size();
    }
}
