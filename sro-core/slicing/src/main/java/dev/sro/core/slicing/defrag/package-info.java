/**
 * Defragmentation: in go a fleet, what may not move and what a move costs, out come the fewest moves that admit a request or
 * free devices, in an order in which every step is legal.
 */
@NullMarked
package dev.sro.core.slicing.defrag;

import org.jspecify.annotations.NullMarked;
