/** Tests of look-ups in the background. In: what is asked. Out: what is known when. */
@NullMarked
package dev.sro.core.engine.background;

import org.jspecify.annotations.NullMarked;
