/**
 * Running a device for years as values: upgrades, monitoring, scheduling.
 *
 * <p>In: a special resource, facts of nodes, what runs and what shall run. Out: strategies, alerts, taints. A plugin
 * implements those of the interfaces that it needs.
 */
@NullMarked
package dev.sro.api.operation;

import org.jspecify.annotations.NullMarked;
