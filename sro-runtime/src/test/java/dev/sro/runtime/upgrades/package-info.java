/** Tests of {@code sro upgrade}. */
@NullMarked
package dev.sro.runtime.upgrades;

import org.jspecify.annotations.NullMarked;
