/**
 * What a Kubernetes API server must do for SRO to work, as data: cases of requests and expected answers that run against any API
 * server. In: a {@link dev.sro.testkit.conformance.HttpCaller}. Out: one JUnit test per case.
 */
@NullMarked
package dev.sro.testkit.conformance;

import org.jspecify.annotations.NullMarked;
