/**
 * What the cluster is. In: Node objects as the API server returns them. Out: small immutable projections that
 * change only when something that SRO reads changes.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.facts;

import org.jspecify.annotations.NullMarked;
