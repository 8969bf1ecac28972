package dev.sro.agent.kubelet;

/**
 * One result of a claim's allocation, of this driver. Immutable.
 *
 * @param request of the claim; of {@code request/subrequest} the part before the stroke counts for kubelet
 * @param pool in which the device is published
 * @param device its name there
 */
public record Allocation(String request, String pool, String device) {
    /** The name that kubelet knows. */
    String mainRequest() {
        int stroke = request.indexOf('/');
        return stroke < 0 ? request : request.substring(0, stroke);
    }
}
