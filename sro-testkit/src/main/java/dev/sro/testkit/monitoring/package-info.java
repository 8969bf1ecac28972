/**
 * Checks of what a plugin says about monitoring. In: a {@link dev.sro.api.operation.Monitoring}, the metrics that there are, and
 * sample series for each alert. Out: tests that find queries for what nobody measures, dashboards that do not work and alerts that
 * do not fire or do not end, run by extending {@link dev.sro.testkit.monitoring.MonitoringContract}.
 */
@NullMarked
package dev.sro.testkit.monitoring;

import org.jspecify.annotations.NullMarked;
