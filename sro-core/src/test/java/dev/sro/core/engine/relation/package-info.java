/** Tests of dependencies. In: who needs whom. Out: cycles. */
@NullMarked
package dev.sro.core.engine.relation;

import org.jspecify.annotations.NullMarked;
