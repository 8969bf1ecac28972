/** Tests of what a Secret says of a release. */
@NullMarked
package dev.sro.core.release;

import org.jspecify.annotations.NullMarked;
