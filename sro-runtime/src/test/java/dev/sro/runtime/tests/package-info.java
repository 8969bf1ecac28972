/** Tests of {@code sro test} in the embedded cluster. */
@NullMarked
package dev.sro.runtime.tests;

import org.jspecify.annotations.NullMarked;
