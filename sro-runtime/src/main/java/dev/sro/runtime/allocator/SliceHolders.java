package dev.sro.runtime.allocator;

import dev.sro.core.allocation.AllocationFleet;
import dev.sro.core.allocation.Allocations;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Who has devices of ours, and who of them ends anyway. For one look. */
final class SliceHolders {
    /**
     * Pods that end together.
     *
     * @param claims UIDs of those that are free then
     * @param shares whether some of them have a claim in common
     */
    record Holder(List<Held> pods, Set<String> claims, boolean shares) {
        Holder {
            pods = List.copyOf(pods);
            claims = Set.copyOf(claims);
        }

        /** A claim is of one alone; pods are large. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Holder holder && claims.equals(holder.claims);
        }

        @Override
        public int hashCode() {
            return claims.hashCode();
        }

        int priority() {
            return pods.stream().mapToInt(held -> priorityOf(held.pod())).max().orElse(0);
        }

        Set<String> nodes() {
            return pods.stream().map(Held::node).collect(Collectors.toCollection(TreeSet::new));
        }

        String key() {
            return ObjectBook.key(pods.get(0).pod());
        }
    }

    /** A pod, and the node where it counts. */
    record Held(Pod pod, String node) {
        String uid() {
            return pod.getMetadata().getUid();
        }

        boolean isBound() {
            return !AllocationMarks.node(pod).isEmpty();
        }
    }

    /** Pods that use something in common, directly or by others. */
    private static final class Group {
        final Set<String> users = new LinkedHashSet<>();
        final Set<String> claims = new HashSet<>();
    }

    private final Map<String, Held> alive = new LinkedHashMap<>();
    private final Set<String> leaving = new HashSet<>();
    private final Set<String> using = new LinkedHashSet<>();
    private final Set<String> free = new HashSet<>();
    private final Map<String, Group> groups = new LinkedHashMap<>();

    /** @param ending UIDs of pods that end, whether or not that was seen yet */
    SliceHolders(AllocationFleet fleet, Collection<Pod> pods, Collection<ResourceClaim> claims, Set<String> ending) {
        for (Pod pod : pods) {
            if (!AllocationMarks.done(pod)) {
                Held held = new Held(pod, AllocationMarks.node(pod));
                alive.put(held.uid(), held);
                if (pod.getMetadata().getDeletionTimestamp() != null || ending.contains(held.uid())) {
                    leaving.add(held.uid());
                }
            }
        }
        for (ResourceClaim claim : claims) {
            if (Allocations.allocated(claim)
                    && AllocationMarks.annotation(claim, AllocationMarks.NODE).isPresent()) {
                note(claim, fleet);
            }
        }
    }

    private void note(ResourceClaim claim, AllocationFleet fleet) {
        String uid = claim.getMetadata().getUid();
        List<String> users = AllocationMarks.consumers(claim).stream()
                .map(ResourceClaimConsumerReference::getUid)
                .filter(alive::containsKey)
                .toList();
        using.addAll(users);
        List<String> staying =
                users.stream().filter(user -> !leaving.contains(user)).toList();
        if (staying.isEmpty()) {
            free.add(uid);
            return;
        }
        Group group = new Group();
        group.claims.add(uid);
        for (String user : staying) {
            // Until it is bound it counts where its devices are.
            alive.computeIfPresent(
                    user,
                    (name, held) -> held.node().isEmpty()
                            ? new Held(held.pod(), fleet.node(uid).orElse(""))
                            : held);
            group.users.add(user);
            Group before = groups.get(user);
            if (before != null) {
                group.users.addAll(before.users);
                group.claims.addAll(before.claims);
            }
        }
        group.users.forEach(user -> groups.put(user, group));
    }

    static int priorityOf(Pod pod) {
        Integer priority = pod.getSpec().getPriority();
        return priority == null ? 0 : priority;
    }

    /** Pods that have devices and end anyway. */
    List<Held> going() {
        return held(using.stream().filter(leaving::contains).toList());
    }

    /** UIDs of claims that are free once those have ended, or that nobody uses. */
    Set<String> free() {
        return free;
    }

    /** Those that stay: each pod alone, but for pods that have a claim in common. */
    List<Holder> staying() {
        return new LinkedHashSet<>(groups.values()).stream().map(this::holder).toList();
    }

    /** The same, the pods of a gang together. */
    List<Holder> units() {
        Map<String, List<Holder>> byGang = new LinkedHashMap<>();
        for (Holder holder : staying()) {
            Pod first = holder.pods().get(0).pod();
            String gang = AllocationMarks.annotation(first, AllocationMarks.GANG)
                    .map(name -> first.getMetadata().getNamespace() + "/" + name)
                    .orElse(holder.key() + "/");
            byGang.computeIfAbsent(gang, name -> new ArrayList<>()).add(holder);
        }
        return byGang.values().stream().map(SliceHolders::together).toList();
    }

    private static Holder together(List<Holder> holders) {
        return new Holder(
                holders.stream().flatMap(holder -> holder.pods().stream()).toList(),
                holders.stream().flatMap(holder -> holder.claims().stream()).collect(Collectors.toSet()),
                holders.stream().anyMatch(Holder::shares));
    }

    private Holder holder(Group group) {
        return new Holder(held(group.users), group.claims, group.users.size() > 1);
    }

    private List<Held> held(Collection<String> users) {
        return users.stream()
                .map(user -> Objects.requireNonNull(alive.get(user)))
                .toList();
    }
}
