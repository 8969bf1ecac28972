/** Tests of {@code sro plugins}. In: jars made by the test. Out: what the command prints. */
@NullMarked
package dev.sro.runtime.plugins;

import org.jspecify.annotations.NullMarked;
