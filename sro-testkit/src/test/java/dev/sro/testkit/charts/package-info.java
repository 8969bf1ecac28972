/** Special resources whose recipe is a chart, on the embedded cluster. */
@NullMarked
package dev.sro.testkit.charts;

import org.jspecify.annotations.NullMarked;
