/**
 * The ways in which containers get a device, and the resource names under which it is offered, as values.
 *
 * <p>In: facts of a node, and a special resource. Out: CDI specifications, files of container runtimes, exposure. A plugin
 * implements those of the interfaces that it needs.
 */
@NullMarked
package dev.sro.api.device;

import org.jspecify.annotations.NullMarked;
