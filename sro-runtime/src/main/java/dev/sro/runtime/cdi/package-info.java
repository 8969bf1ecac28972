/** {@code sro cdi}: files for container runtimes, without a cluster. */
@NullMarked
package dev.sro.runtime.cdi;

import org.jspecify.annotations.NullMarked;
