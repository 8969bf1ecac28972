/** Tests of watches. In: who needs what. Out: what is watched. */
@NullMarked
package dev.sro.core.client.watch;

import org.jspecify.annotations.NullMarked;
