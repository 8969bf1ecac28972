/** Tests of what a trip looks at. In: rosters and pods. Out: labels that nodes shall have. */
@NullMarked
package dev.sro.core.engine.trip;

import org.jspecify.annotations.NullMarked;
