/**
 * Tests of {@code sro new}.
 */
@NullMarked
package dev.sro.runtime.scaffold;

import org.jspecify.annotations.NullMarked;
