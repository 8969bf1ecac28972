package dev.sro.core.allocation;

/** What nodes have beside devices, for those that wait and those that come in the place of others. */
public interface VacatableRoom extends AllocationSearch.Room {
    /** As if a pod had ended. */
    void vacate(MovablePod pod);

    /** As it was before. */
    void restore(MovablePod pod);
}
