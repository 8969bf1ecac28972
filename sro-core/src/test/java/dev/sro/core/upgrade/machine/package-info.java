/** Tests of the package of this name: vectors, scenarios, and random histories on a model of nodes and hands. */
@NullMarked
package dev.sro.core.upgrade.machine;

import org.jspecify.annotations.NullMarked;
