/**
 * Device models as data: in goes a catalogue file (or what a driver reports), out come checked {@code DeviceModel}s. Knows
 * nothing of Kubernetes.
 */
@NullMarked
package dev.sro.core.slicing.catalogue;

import org.jspecify.annotations.NullMarked;
