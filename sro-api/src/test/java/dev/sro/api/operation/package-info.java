/** Tests of the contract's values. */
@NullMarked
package dev.sro.api.operation;

import org.jspecify.annotations.NullMarked;
