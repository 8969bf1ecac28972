/** {@code sro preflight}. In: a cluster and a kernel to come. Out: which special resources are ready for it, and the evidence. */
@NullMarked
package dev.sro.runtime.preflight;

import org.jspecify.annotations.NullMarked;
