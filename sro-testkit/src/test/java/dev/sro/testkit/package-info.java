/** Tests of the embedded cluster's public face. In: a cluster. Out: what a test author may rely on. */
@NullMarked
package dev.sro.testkit;

import org.jspecify.annotations.NullMarked;
