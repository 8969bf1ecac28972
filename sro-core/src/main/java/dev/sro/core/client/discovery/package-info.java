/**
 * What the cluster serves and what it is. In: its definitions, its discovery, and what OpenShift says of itself. Out: {@code Kinds}
 * and facts.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.client.discovery;

import org.jspecify.annotations.NullMarked;
