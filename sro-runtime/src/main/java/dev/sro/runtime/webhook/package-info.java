/**
 * The operator's admission webhooks: an HTTPS server, a table of paths with what answers there, and the answers. In: AdmissionReviews of
 * the API server. Out: responses. What answers is a pure function; certificates come from a folder.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.webhook;

import org.jspecify.annotations.NullMarked;
