/**
 * Text that people write by hand, with positions: in goes YAML or JSON, out come fields that know their file, line and path, and
 * every error at once. Knows nothing of devices.
 */
@NullMarked
package dev.sro.core.slicing.input;

import org.jspecify.annotations.NullMarked;
