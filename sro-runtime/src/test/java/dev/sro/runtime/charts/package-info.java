/** Charts that others wrote, rendered by Helm and run through the engine. */
@NullMarked
package dev.sro.runtime.charts;

import org.jspecify.annotations.NullMarked;
