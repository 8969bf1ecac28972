/** Tests of bundles for the Operator Lifecycle Manager. */
@NullMarked
package dev.sro.runtime.bundle;

import org.jspecify.annotations.NullMarked;
