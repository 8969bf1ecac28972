package dev.sro.core.claim;

import io.fabric8.kubernetes.api.model.resource.v1.DeviceToleration;
import java.util.List;

/**
 * Devices that a pod asks for in one request. Immutable.
 *
 * @param what asks, such as {@code request a of claim ml/train}
 * @param alternatives the most wanted first; one at least
 * @param together whether all requests of its claim have to be served by one GPU
 * @param resource the extended resource that it stands for; empty for a request of a claim
 */
record PodDeviceRequest(String what, List<Alternative> alternatives, boolean together, String resource) {
    /**
     * What will do.
     *
     * @param deviceClass name of the class
     * @param selectors of class and request, in the Common Expression Language
     * @param count how many devices
     * @param tolerations of taints of devices
     */
    record Alternative(String deviceClass, List<String> selectors, int count, List<DeviceToleration> tolerations) {
        Alternative {
            selectors = List.copyOf(selectors);
            tolerations = List.copyOf(tolerations);
        }
    }

    PodDeviceRequest {
        alternatives = List.copyOf(alternatives);
    }

    /** Whether it is about devices of a driver: a class is named after it, or a selector names it. */
    boolean names(String driver) {
        return alternatives.stream()
                .anyMatch(one -> one.deviceClass().endsWith("." + driver)
                        || one.selectors().stream()
                                .anyMatch(text ->
                                        text.contains("'" + driver + "'") || text.contains("\"" + driver + "\"")));
    }
}
