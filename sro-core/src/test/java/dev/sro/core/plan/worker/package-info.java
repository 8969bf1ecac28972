/** Tests of the package of this name: values in, values out, no API server. */
@NullMarked
package dev.sro.core.plan.worker;

import org.jspecify.annotations.NullMarked;
