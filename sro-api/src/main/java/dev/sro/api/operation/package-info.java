/**
 * Running a device for years as values: upgrades, monitoring, health, scheduling, diagnosis.
 *
 * <p>In: a special resource, facts of nodes, what runs and what shall run. Out: strategies, verdicts, alerts, taints and
 * commands. A plugin implements those of the interfaces that it needs; what this version of the engine does not act on is
 * marked {@link dev.sro.api.NotActedOnYet}.
 */
@NullMarked
package dev.sro.api.operation;

import org.jspecify.annotations.NullMarked;
