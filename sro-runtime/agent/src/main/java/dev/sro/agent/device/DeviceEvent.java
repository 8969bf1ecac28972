package dev.sro.agent.device;

/**
 * What a driver says happened to a GPU. Immutable.
 *
 * @param gpu which
 * @param xid number of NVIDIA's error report
 */
public record DeviceEvent(PciAddress gpu, int xid) {}
