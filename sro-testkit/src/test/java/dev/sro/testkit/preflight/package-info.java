/** Special resources whose recipe is a chart, on the embedded cluster. */
@NullMarked
package dev.sro.testkit.preflight;

import org.jspecify.annotations.NullMarked;
