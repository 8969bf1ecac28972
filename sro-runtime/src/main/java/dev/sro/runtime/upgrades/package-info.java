/** {@code sro upgrade}: looks at upgrades of drivers, and steers them by what a user may write. */
@NullMarked
package dev.sro.runtime.upgrades;

import org.jspecify.annotations.NullMarked;
