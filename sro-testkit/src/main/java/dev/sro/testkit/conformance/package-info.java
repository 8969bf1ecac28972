/**
 * The behaviour that SRO needs of a Kubernetes API server, as data: cases of requests and expected answers that run against any API
 * server. In: a {@link dev.sro.testkit.conformance.HttpCaller}. Out: one JUnit test per case.
 */
@NullMarked
package dev.sro.testkit.conformance;

import org.jspecify.annotations.NullMarked;
