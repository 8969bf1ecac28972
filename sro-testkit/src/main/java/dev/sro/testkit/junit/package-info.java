/**
 * SRO on an embedded cluster for a test, in one line. In: {@code @SroTest} on a class or method. Out: parameters of the test:
 * the sandbox, its cluster, its simulated machines, a client.
 */
@NullMarked
package dev.sro.testkit.junit;

import org.jspecify.annotations.NullMarked;
