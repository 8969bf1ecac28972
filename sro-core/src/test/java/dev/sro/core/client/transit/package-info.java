/** Tests of what is watched only while it is needed. In: who needs what. Out: which watches are open, what is seen. */
@NullMarked
package dev.sro.core.client.transit;

import org.jspecify.annotations.NullMarked;
