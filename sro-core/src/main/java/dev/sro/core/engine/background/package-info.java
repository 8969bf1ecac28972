/**
 * Look-ups of logs and images that go on behind reconciles. In: what is asked. Out: what is known now; whoever asked is told of more.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.engine.background;

import org.jspecify.annotations.NullMarked;
