package dev.sro.core.client.cache;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What init containers of a pod have counted. Stateless. */
final class Counts {

    /** One line at least that {@link dev.sro.api.ReadinessRule.AllocatableAsCounted} reads; whatever else is said is not kept. */
    private static final Pattern COUNT = Pattern.compile("(?m)^[^\\s=]+=[0-9]+$");

    private Counts() {}

    static Map<String, String> collect(PodStatus status) {
        Map<String, String> counted = new TreeMap<>();
        for (ContainerStatus container : status.getInitContainerStatuses()) {
            ContainerStateTerminated ended =
                    container.getState() == null ? null : container.getState().getTerminated();
            if (ended != null && Integer.valueOf(0).equals(ended.getExitCode()) && ended.getMessage() != null) {
                String said = ended.getMessage().strip();
                if (COUNT.matcher(said).find()) {
                    counted.put(container.getName(), said);
                }
            }
        }
        return counted;
    }
}
