/** Tests of the gate of outgoing requests. */
@NullMarked
package dev.sro.core.outgoing;

import org.jspecify.annotations.NullMarked;
