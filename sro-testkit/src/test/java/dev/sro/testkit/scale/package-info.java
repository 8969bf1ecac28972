/** What the operator asks of the API server, by the size of the cluster: requests are counted, nothing is timed. */
@NullMarked
package dev.sro.testkit.scale;

import org.jspecify.annotations.NullMarked;
