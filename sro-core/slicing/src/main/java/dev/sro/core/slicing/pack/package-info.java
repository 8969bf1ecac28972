/**
 * Offline packing and the proof of what can not be packed: in go counts per profile and numbers of devices, out come a
 * certificate in O(1), and packings with explicit starts that need no more devices than any other.
 */
@NullMarked
package dev.sro.core.slicing.pack;

import org.jspecify.annotations.NullMarked;
