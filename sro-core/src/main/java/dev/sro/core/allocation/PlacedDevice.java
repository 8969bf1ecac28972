package dev.sro.core.allocation;

import io.fabric8.kubernetes.api.model.resource.v1.DeviceToleration;
import java.util.List;

/**
 * A device for a request of a claim. Immutable.
 *
 * @param claim its UID
 * @param request as results name it
 * @param node that carries the device
 * @param gpu id of the GPU
 * @param pool of the device
 * @param device its name in the pool
 * @param tolerations of the request
 */
public record PlacedDevice(
        String claim,
        String request,
        String node,
        String gpu,
        String pool,
        String device,
        List<DeviceToleration> tolerations) {}
