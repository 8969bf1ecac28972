/** Tests of the HTTP front. In: real HTTP requests on the loopback interface. Out: the embedded server's answers. */
@NullMarked
package dev.sro.testkit.http;

import org.jspecify.annotations.NullMarked;
