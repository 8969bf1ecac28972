package dev.sro.core.slicing.defrag;

/**
 * One instance changes place: it is stopped at the one and started at the other.
 *
 * @param device where it is
 * @param placement the placement it has there, a number of the geometry
 * @param toDevice where it goes; may be the same device
 * @param toPlacement the placement it gets, of the same profile
 */
public record Move(int device, int placement, int toDevice, int toPlacement) {}
