/** The control plane for tests. In: binaries, where there are any. Out: that it starts, serves, restarts and leaves nothing behind. */
@NullMarked
package dev.sro.testkit.controlplane;

import org.jspecify.annotations.NullMarked;
