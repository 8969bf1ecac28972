/** For tests: ConfigMaps without a cluster. */
@NullMarked
package dev.sro.core.client.source;

import org.jspecify.annotations.NullMarked;
