package dev.sro.core.allocation;

import dev.sro.core.allocation.LimitClaim.Request;
import dev.sro.core.placement.PodSlices;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the containers of a pod ask for by limits, as requests of a claim, counted as the scheduler counts its own: each container that runs on has devices of its
 * own, sidecars too; an init container that ends has those of containers that start after it, and what it needs beyond them is one request for all
 * of its kind. For one pod.
 */
final class LimitRequests {
    private final Pod pod;
    private final Function<String, Optional<String>> classes;
    private final List<Container> containers = new ArrayList<>();
    private final int inits;
    private final List<Map<String, Integer>> wanted = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();
    private final Map<Integer, Set<String>> uses = new TreeMap<>();

    /**
     * Counts.
     *
     * @param classes which class a resource means; empty for those that stay
     * @throws IllegalArgumentException if somebody asks for what nobody can give, naming pod, field and fix
     */
    LimitRequests(Pod pod, Function<String, Optional<String>> classes) {
        this.pod = pod;
        this.classes = classes;
        containers.addAll(pod.getSpec().getInitContainers());
        inits = containers.size();
        containers.addAll(pod.getSpec().getContainers());
        Set<String> all = new TreeSet<>();
        for (int i = 0; i < containers.size(); i++) {
            wanted.add(counts(i));
            all.addAll(wanted.get(i).keySet());
        }
        List<String> inOrder = List.copyOf(all);
        for (int number = 0; number < inOrder.size(); number++) {
            count(inOrder.get(number), number);
        }
        int devices = new LimitClaim(requests).devices();
        if (devices > LimitClaim.MOST) {
            throw new IllegalArgumentException(PodSlices.name(pod) + ": resources.limits: asks for " + devices
                    + " devices, and a claim has at most " + LimitClaim.MOST + ": ask for fewer in one pod");
        }
    }

    /** The claim; empty if nothing is asked for. */
    Optional<LimitClaim> claim() {
        return requests.isEmpty() ? Optional.empty() : Optional.of(new LimitClaim(requests));
    }

    /** Names of the requests whose devices a container sees, by its place, init containers first. */
    Map<Integer, Set<String>> uses() {
        return uses;
    }

    private boolean ends(int index) {
        return index < inits && !"Always".equals(containers.get(index).getRestartPolicy());
    }

    private int wanted(int index, String deviceClass) {
        return wanted.get(index).getOrDefault(deviceClass, 0);
    }

    private void count(String deviceClass, int number) {
        Map<Integer, Request> lasting = new TreeMap<>();
        for (int i = 0; i < containers.size(); i++) {
            if (!ends(i) && wanted(i, deviceClass) > 0) {
                Request own = new Request(
                        "container-" + i + "-request-"
                                + List.copyOf(wanted.get(i).keySet()).indexOf(deviceClass),
                        deviceClass,
                        wanted(i, deviceClass));
                lasting.put(i, own);
                use(i, own.name());
            }
        }
        String shared = "init-request-" + number;
        int beyond = 0;
        for (int i = 0; i < inits; i++) {
            if (ends(i)) {
                int missing = reuse(i, wanted(i, deviceClass), lasting);
                if (missing > 0) {
                    use(i, shared);
                    beyond = Math.max(beyond, missing);
                }
            }
        }
        if (beyond > 0) {
            requests.add(new Request(shared, deviceClass, beyond));
        }
        requests.addAll(lasting.values());
    }

    /** Gives an init container that ends what later ones have, whole requests; what is missing then. */
    private int reuse(int index, int count, Map<Integer, Request> lasting) {
        int missing = count;
        for (Map.Entry<Integer, Request> later : lasting.entrySet()) {
            if (missing > 0 && later.getKey() > index) {
                use(index, later.getValue().name());
                missing -= later.getValue().count();
            }
        }
        return missing;
    }

    private void use(int index, String request) {
        uses.computeIfAbsent(index, key -> new TreeSet<>()).add(request);
    }

    /** By class; of several names for one class the sum. */
    private Map<String, Integer> counts(int index) {
        Container container = containers.get(index);
        Map<String, Integer> counts = new TreeMap<>();
        if (container.getResources() == null) {
            return counts;
        }
        Map<String, Quantity> limits = known(container.getResources().getLimits());
        Map<String, Quantity> asked = known(container.getResources().getRequests());
        Map<String, Quantity> all = new LinkedHashMap<>(asked);
        all.putAll(limits);
        all.forEach((resource, amount) -> classes.apply(resource).ifPresent(deviceClass -> {
            Quantity other = asked.get(resource);
            if (other != null && other.getNumericalAmount().compareTo(amount.getNumericalAmount()) != 0) {
                throw wrong(index, resource, "requests differ from limits: write the same, or limits alone");
            }
            int count = whole(index, resource, amount);
            if (count > 0) {
                counts.merge(deviceClass, count, Integer::sum);
            }
        }));
        return counts;
    }

    private int whole(int index, String resource, Quantity amount) {
        BigDecimal number = amount.getNumericalAmount();
        if (number.signum() < 0 || number.stripTrailingZeros().scale() > 0) {
            throw wrong(index, resource, amount + " is no number of devices: write a whole number");
        }
        if (number.compareTo(BigDecimal.valueOf(LimitClaim.MOST)) > 0) {
            throw wrong(
                    index,
                    resource,
                    "asks for " + amount + " devices, and a claim has at most " + LimitClaim.MOST
                            + ": ask for fewer in one pod");
        }
        return number.intValueExact();
    }

    private IllegalArgumentException wrong(int index, String resource, String what) {
        String field = index < inits ? "initContainers" : "containers";
        return new IllegalArgumentException(PodSlices.name(pod) + ": " + field + "["
                + containers.get(index).getName() + "].resources.limits[" + resource + "]: " + what);
    }

    private static Map<String, Quantity> known(@Nullable Map<String, Quantity> amounts) {
        return amounts == null ? Map.of() : amounts;
    }
}
