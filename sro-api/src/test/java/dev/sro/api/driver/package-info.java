/** Tests of the contract's values. */
@NullMarked
package dev.sro.api.driver;

import org.jspecify.annotations.NullMarked;
