/**
 * Pods and resource claims that are watched only while a driver is replaced or goes. In: which nodes, for whom. Out: what
 * runs there and who has a device.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.client.transit;

import org.jspecify.annotations.NullMarked;
