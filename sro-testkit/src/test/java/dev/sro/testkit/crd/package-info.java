/** Tests that the definitions we ship do on our server what they do on a real one. */
@NullMarked
package dev.sro.testkit.crd;

import org.jspecify.annotations.NullMarked;
