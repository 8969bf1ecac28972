/**
 * The layouts of one device: in goes a {@code DeviceModel}, out come tables of all layouts, their occupancies and the steps
 * between them.
 */
@NullMarked
package dev.sro.core.slicing.geometry;

import org.jspecify.annotations.NullMarked;
