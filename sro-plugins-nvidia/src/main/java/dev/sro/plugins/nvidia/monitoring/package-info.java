/**
 * How NVIDIA GPUs are watched. In: the special resource with its settings {@code monitoring}. Out: what dcgm-exporter has to
 * measure, alerts and dashboards, all of them values; nothing here talks to a cluster.
 */
@NullMarked
package dev.sro.plugins.nvidia.monitoring;

import org.jspecify.annotations.NullMarked;
