/** The recorded signatures of the contract, and what tells a compatible change from another one. */
@NullMarked
package dev.sro.api.contract;

import org.jspecify.annotations.NullMarked;
