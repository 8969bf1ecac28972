/**
 * The choice among possible placements: in goes a {@code PlacementPolicy}, out comes a {@code PolicyTable} that
 * answers for every occupancy of a device.
 */
@NullMarked
package dev.sro.core.slicing.policy;

import org.jspecify.annotations.NullMarked;
