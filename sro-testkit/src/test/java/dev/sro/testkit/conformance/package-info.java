/** The conformance suite on the embedded cluster. In: the cases. Out: that the embedded server passes them. */
@NullMarked
package dev.sro.testkit.conformance;

import org.jspecify.annotations.NullMarked;
