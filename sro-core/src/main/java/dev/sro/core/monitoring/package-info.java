/**
 * How a device is monitored, as objects. In: a {@link dev.sro.api.operation.Monitoring} of a plugin. Out: what the Prometheus operator,
 * Grafana and its operator read. Pure: nothing here reads or writes a cluster.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.monitoring;

import org.jspecify.annotations.NullMarked;
