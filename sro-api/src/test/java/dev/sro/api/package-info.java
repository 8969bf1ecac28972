/** Tests of the contract's values. */
@NullMarked
package dev.sro.api;

import org.jspecify.annotations.NullMarked;
