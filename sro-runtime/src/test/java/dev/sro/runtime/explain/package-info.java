/** Tests of {@code sro explain}. */
@NullMarked
package dev.sro.runtime.explain;

import org.jspecify.annotations.NullMarked;
