/**
 * The front door for whoever runs SRO in a process of their own. In: a fabric8 client, plugins, options. Out: special resources run, with
 * drivers, builds, charts, preflights, modules, partitioning and upgrades, beside any other SRO of the cluster. {@link
 * dev.sro.core.embed.SpecialResourceOperator} is where to begin.
 */
@NullMarked
package dev.sro.core.embed;

import org.jspecify.annotations.NullMarked;
