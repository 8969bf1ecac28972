package dev.sro.core.allocation;

import io.fabric8.kubernetes.api.model.resource.v1.DeviceAllocationConfiguration;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceToleration;
import java.util.List;
import java.util.Set;

/**
 * What one claim asks for. Immutable but for the objects of the API in it, which nobody changes.
 *
 * @param uid of the claim
 * @param key {@code namespace/name}
 * @param asks its requests, one at least
 * @param rules that its devices have to keep to each other
 * @param config of the claim and of the classes that it may get devices of
 */
public record ClaimDemand(String uid, String key, List<Ask> asks, List<Rule> rules, List<Config> config) {
    /**
     * One request.
     *
     * @param name of the request
     * @param choices what serves it, the most wanted first; one at least
     */
    public record Ask(String name, List<Choice> choices) {
        /** Copies the list. */
        public Ask {
            choices = List.copyOf(choices);
        }
    }

    /**
     * What serves a request.
     *
     * @param request as results name it: {@code request}, or {@code request/subrequest}
     * @param deviceClass its name
     * @param selectors of class and request, in the Common Expression Language
     * @param count how many devices
     * @param tolerations of taints, copied into the result
     */
    public record Choice(
            String request, String deviceClass, List<String> selectors, int count, List<DeviceToleration> tolerations) {
        /** Copies the lists. */
        public Choice {
            selectors = List.copyOf(selectors);
            tolerations = List.copyOf(tolerations);
        }
    }

    /**
     * A constraint.
     *
     * @param distinct whether values have to differ from each other; they have to be the same otherwise
     * @param attribute with its domain
     * @param requests that it is about; empty for all
     */
    public record Rule(boolean distinct, String attribute, Set<String> requests) {
        /** Copies the set. */
        public Rule {
            requests = Set.copyOf(requests);
        }

        boolean covers(String request) {
            int slash = request.indexOf('/');
            return requests.isEmpty()
                    || requests.contains(request)
                    || (slash > 0 && requests.contains(request.substring(0, slash)));
        }
    }

    /**
     * Configuration that goes with an allocation.
     *
     * @param request as results name it, for which it holds; empty for all
     */
    public record Config(String request, DeviceAllocationConfiguration configuration) {}

    /** Copies the lists. */
    public ClaimDemand {
        asks = List.copyOf(asks);
        rules = List.copyOf(rules);
        config = List.copyOf(config);
    }

    /** For people: what the first choices ask for, such as {@code 2 x 1g-5gb.slices.sro.dev}. */
    public List<String> texts() {
        return asks.stream()
                .map(ask -> ask.choices().get(0))
                .map(choice -> (choice.count() == 1 ? "" : choice.count() + " x ") + choice.deviceClass())
                .toList();
    }
}
