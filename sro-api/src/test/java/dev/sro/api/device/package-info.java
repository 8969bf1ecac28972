/** Tests of the contract's values. */
@NullMarked
package dev.sro.api.device;

import org.jspecify.annotations.NullMarked;
