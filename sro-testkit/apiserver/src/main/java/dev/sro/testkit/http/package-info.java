/**
 * An HTTP front of the in-process API server, so that kubectl and other processes can reach it. In: HTTP/1.1 on 127.0.0.1. Out: the
 * server's answers, watches as chunked streams or web sockets. Nothing else in the testkit needs it.
 */
@NullMarked
package dev.sro.testkit.http;

import org.jspecify.annotations.NullMarked;
