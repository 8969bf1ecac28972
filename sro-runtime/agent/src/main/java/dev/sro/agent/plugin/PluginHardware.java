package dev.sro.agent.plugin;

import dev.sro.agent.device.DevicePort;
import dev.sro.core.slicing.catalogue.Catalogue;

/**
 * What device plugins are offered of. Immutable.
 *
 * @param devices of the node
 * @param catalogue of models
 * @param exposure whether a GPU is offered
 */
public record PluginHardware(DevicePort devices, Catalogue catalogue, PluginExposure exposure) {}
