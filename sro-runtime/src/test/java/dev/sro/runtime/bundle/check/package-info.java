/** Tests of what is asked of bundles. */
@NullMarked
package dev.sro.runtime.bundle.check;

import org.jspecify.annotations.NullMarked;
