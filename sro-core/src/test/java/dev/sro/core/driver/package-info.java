/** Tests of the package of this name: values in, values out, no registry. */
@NullMarked
package dev.sro.core.driver;

import org.jspecify.annotations.NullMarked;
