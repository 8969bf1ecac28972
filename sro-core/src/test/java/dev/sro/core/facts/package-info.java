/** Tests of the package of this name: values in, values out, no API server. */
@NullMarked
package dev.sro.core.facts;

import org.jspecify.annotations.NullMarked;
