/**
 * NVIDIA's spellings: in goes a configuration in the grammar of mig-parted, or a resource name, out come instances with explicit
 * starts on each device, and back.
 */
@NullMarked
package dev.sro.core.slicing.mig;

import org.jspecify.annotations.NullMarked;
