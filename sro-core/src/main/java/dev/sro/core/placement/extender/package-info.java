/**
 * What a scheduler asks of its extender, in bytes of HTTP: its requests to filter and to prioritise nodes come in, the answers go out, made from what the
 * fleet knows. No object is made for the name of a node. No client, no clock, no threads.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.placement.extender;

import org.jspecify.annotations.NullMarked;
