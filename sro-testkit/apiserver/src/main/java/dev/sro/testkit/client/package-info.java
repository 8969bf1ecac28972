/**
 * The transport that lets the real fabric8 client talk to the in-process API server. In: the client's HTTP requests and web
 * sockets. Out: the server's answers and watch events, without sockets; events are delivered on one executor, in order.
 *
 * <p>Internal: it may change with any version. Tests use {@code dev.sro.testkit}.
 */
@NullMarked
package dev.sro.testkit.client;

import org.jspecify.annotations.NullMarked;
