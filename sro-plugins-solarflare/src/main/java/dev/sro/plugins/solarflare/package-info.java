/**
 * Onload and the sfc driver of Solarflare network adapters, now AMD's, as one plugin: {@code solarflare-onload}.
 *
 * <p>In: a special resource whose {@code spec.plugin.config} has the field names of the Onload operator's custom resource. Out: the
 * modules sfc, sfc_resource and onload in this order, by a load plan; the user-space files on the node; the device plugin; what
 * container runtimes have to know; and where they are asked for the PTP daemon and profiles of environment variables.
 */
@NullMarked
package dev.sro.plugins.solarflare;

import org.jspecify.annotations.NullMarked;
