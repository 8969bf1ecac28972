/**
 * Builds drivers in this cluster for the versions of OpenShift that other clusters have. What comes in is a
 * {@code SpecialResourceModule} and the objects that it watches; what goes out are the objects of its chart, once for each
 * version, and how far each is. A version is to a module what a pool is to a special resource: the same planner serves both.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.module;

import org.jspecify.annotations.NullMarked;
