/**
 * The one gate of all requests that leave SRO but those to the API server. In: an address that somebody wrote into an object, and
 * what the administrator allows. Out: a connection to an address that was checked, or why there is none.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.outgoing;

import org.jspecify.annotations.NullMarked;
