/** Tests of the caches. In: events of a watch. Out: which special resources are asked for. */
@NullMarked
package dev.sro.core.client.router;

import org.jspecify.annotations.NullMarked;
