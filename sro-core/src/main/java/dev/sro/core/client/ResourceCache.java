package dev.sro.core.client;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.Marks;
import dev.sro.core.pool.Selection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Special resources as last seen, and which of them an event concerns. Thread-safe. */
final class ResourceCache {

    /** What of a special resource changed for others. */
    enum Change {
        /** It is new, or anything but its status changed. */
        CLAIM,
        /** Whether it is ready, which others may wait for. */
        READINESS,
        /** Nothing. */
        NOTHING
    }

    private static final int TOMBSTONES = 1_000;

    private final ConcurrentHashMap<String, SpecialResource> resources = new ConcurrentHashMap<>();
    /** Special resources that are gone for good, a few of them, so that a late answer to a write brings none back. */
    private final Set<String> goneUids = Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > TOMBSTONES;
        }
    }));

    Optional<SpecialResource> get(String name) {
        return Optional.ofNullable(resources.get(name));
    }

    List<SpecialResource> sorted() {
        return resources.values().stream()
                .sorted(Comparator.comparing(resource -> resource.getMetadata().getName()))
                .toList();
    }

    Set<String> names() {
        return resources.keySet();
    }

    /** The answer to a write of one that is known. */
    void stored(SpecialResource resource) {
        resources.computeIfPresent(resource.getMetadata().getName(), (name, known) -> newer(known, resource));
    }

    /** Made by us a moment ago: it counts before the watch tells of it, unless that told of its end already. */
    void made(SpecialResource resource) {
        if (!goneUids.contains(String.valueOf(resource.getMetadata().getUid()))) {
            resources.merge(resource.getMetadata().getName(), resource, ResourceCache::newer);
        }
    }

    Change seen(SpecialResource resource) {
        SpecialResource before = resources.get(resource.getMetadata().getName());
        resources.merge(resource.getMetadata().getName(), resource, ResourceCache::newer);
        if (before == null || !claim(before).equals(claim(resource))) {
            return Change.CLAIM;
        }
        return readiness(before).equals(readiness(resource)) ? Change.NOTHING : Change.READINESS;
    }

    void gone(SpecialResource resource) {
        resources.remove(resource.getMetadata().getName());
        goneUids.add(String.valueOf(resource.getMetadata().getUid()));
    }

    private static SpecialResource newer(SpecialResource known, SpecialResource other) {
        return Versions.isOlder(
                        other.getMetadata().getResourceVersion(),
                        known.getMetadata().getResourceVersion())
                ? known
                : other;
    }

    /** What of a status others may wait for. */
    private static List<String> readiness(SpecialResource resource) {
        return resource.getStatus() == null
                ? List.of()
                : resource.getStatus().getConditions().stream()
                        .filter(condition -> "Ready".equals(condition.getType()))
                        .map(condition -> condition.getStatus()
                                + condition.getReason()
                                + condition.getMessage()
                                + condition.getObservedGeneration())
                        .toList();
    }

    /** What of a special resource concerns others: anything but its status. */
    private static List<String> claim(SpecialResource resource) {
        return List.of(
                String.valueOf(resource.getMetadata().getUid()),
                String.valueOf(resource.getMetadata().getGeneration()),
                String.valueOf(resource.getMetadata().getDeletionTimestamp()));
    }

    /** Names of those that have this one in {@code spec.dependencies} or {@code spec.dependsOn}. */
    List<String> dependents(String name) {
        return matching(other -> other.getSpec() != null
                && (other.getSpec().getDependencies().stream()
                                .anyMatch(needed -> needed.getChart() != null
                                        && name.equals(needed.getChart().getName()))
                        || other.getSpec().getDependsOn().stream().anyMatch(needed -> name.equals(needed.getName()))));
    }

    /** Names of those whose objects carry this label. */
    List<String> labelled(String label) {
        return resources.keySet().stream()
                .filter(name -> Marks.specialResourceLabel(name).equals(label))
                .toList();
    }

    /** Names of those that select the node, or did, or hold something on it; a node of no other can make a difference to them. */
    List<String> concernedBy(NodeCache.Change change) {
        return matching(resource -> concerns(change.before(), resource) || concerns(change.after(), resource));
    }

    private static boolean concerns(Optional<ObservedNode> node, SpecialResource resource) {
        Map<String, String> selector =
                resource.getSpec() == null ? Map.of() : resource.getSpec().getNodeSelector();
        return node.isPresent()
                && (Selection.matches(node.get().facts(), selector)
                        || node.get()
                                .appliedLabels()
                                .containsKey(
                                        Marks.nodeManager(resource.getMetadata().getName())));
    }

    private List<String> matching(Predicate<SpecialResource> test) {
        return resources.values().stream()
                .filter(test)
                .map(resource -> resource.getMetadata().getName())
                .toList();
    }
}
