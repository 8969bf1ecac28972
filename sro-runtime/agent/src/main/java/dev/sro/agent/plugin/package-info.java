/**
 * Slices by kubelet's device plugins, for clusters without claims. In: hardware, checkpoint, what pods have by kubelet, what is promised. Out: for each profile
 * the devices that can really be had, and slices for those that kubelet gave: {@link dev.sro.agent.plugin.DevicePlugins}.
 *
 * <p>Internal: it may change with any version. The agent is a process, not a library.
 */
@NullMarked
package dev.sro.agent.plugin;

import org.jspecify.annotations.NullMarked;
