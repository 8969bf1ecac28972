package dev.sro.core.client.cache;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.Specs;
import dev.sro.core.pool.ServedNodes;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Special resources as last seen, and which of them an event concerns. Thread-safe. */
public final class ResourceCache {

    /** What of a special resource changed, by whom it concerns. */
    public enum Change {
        /** It is new, or anything but its status changed: any other may share its nodes, namespace or dependencies. */
        CLAIM,
        /** How it stands: those that need it first wait for that. */
        STANDING,
        /** Anything else: only itself has to look. */
        ITSELF,
        /** Nothing. */
        NOTHING
    }

    private final ConcurrentHashMap<String, SpecialResource> resources = new ConcurrentHashMap<>();
    private final Tombstones gone = new Tombstones();
    private final UnconfirmedWrites<String> unconfirmed = new UnconfirmedWrites<>();

    public Optional<SpecialResource> get(String name) {
        return Optional.ofNullable(resources.get(name));
    }

    public List<SpecialResource> sorted() {
        return resources.values().stream()
                .sorted(Comparator.comparing(resource -> resource.getMetadata().getName()))
                .toList();
    }

    public Set<String> names() {
        return resources.keySet();
    }

    /** The watch tells of it; returns what changed for others. */
    public synchronized Change seen(SpecialResource resource) {
        unconfirmed.confirmed(resource.getMetadata().getName());
        return put(resource);
    }

    /** The answer to a write tells of it; returns what changed for others. */
    public synchronized Change answered(SpecialResource resource) {
        String name = resource.getMetadata().getName();
        if (gone.isGone(String.valueOf(resource.getMetadata().getUid()))) {
            return Change.NOTHING;
        }
        if (!resources.containsKey(name)) {
            String version = String.valueOf(resource.getMetadata().getResourceVersion());
            if (unconfirmed.isLate(SpecialResource.KIND, "", version)) {
                return Change.NOTHING;
            }
            unconfirmed.answered(name, SpecialResource.KIND, "", version);
        }
        return put(resource);
    }

    /**
     * Everything that a list has was told of.
     *
     * @return those that are not in it
     */
    public synchronized Set<String> listed(String resourceVersion) {
        Set<String> missing = unconfirmed.listed(SpecialResource.KIND, "", resourceVersion);
        missing.forEach(resources::remove);
        return missing;
    }

    private Change put(SpecialResource resource) {
        String name = resource.getMetadata().getName();
        SpecialResource before = resources.get(name);
        if (gone.isGone(String.valueOf(resource.getMetadata().getUid()))
                || (before != null && isOlder(resource, before))) {
            return Change.NOTHING;
        }
        resources.put(name, resource);
        if (before == null
                || !claim(before).equals(claim(resource))
                || !kinds(resource).containsAll(kinds(before))) {
            return Change.CLAIM;
        }
        if (!standing(before).equals(standing(resource))) {
            return Change.STANDING;
        }
        return Change.ITSELF;
    }

    /** The watch says that it is gone; another one may have its name already. */
    public synchronized void gone(SpecialResource resource) {
        String uid = String.valueOf(resource.getMetadata().getUid());
        gone.add(uid, String.valueOf(resource.getMetadata().getResourceVersion()));
        resources.computeIfPresent(
                resource.getMetadata().getName(),
                (name, known) -> uid.equals(String.valueOf(known.getMetadata().getUid())) ? null : known);
    }

    private static boolean isOlder(SpecialResource resource, SpecialResource known) {
        return Versions.isOlder(
                resource.getMetadata().getResourceVersion(), known.getMetadata().getResourceVersion());
    }

    /** What of a status others may wait for. */
    private static List<String> standing(SpecialResource resource) {
        if (resource.getStatus() == null) {
            return List.of();
        }
        List<String> standing = new ArrayList<>();
        standing.add(String.valueOf(resource.getStatus().getObservedGeneration()));
        resource.getStatus().getConditions().stream()
                .filter(condition -> "Ready".equals(condition.getType()))
                .map(condition -> condition.getStatus()
                        + condition.getReason()
                        + condition.getMessage()
                        + condition.getObservedGeneration())
                .forEach(standing::add);
        return standing;
    }

    /** When it lets go of a kind, nobody may need that any more. */
    private static List<String> kinds(SpecialResource resource) {
        return resource.getStatus() == null ? List.of() : resource.getStatus().getManagedKinds();
    }

    /** What of a special resource concerns others: anything but its status. */
    private static List<String> claim(SpecialResource resource) {
        ObjectMeta metadata = resource.getMetadata();
        return List.of(
                String.valueOf(metadata.getUid()),
                String.valueOf(metadata.getGeneration()),
                String.valueOf(metadata.getDeletionTimestamp()),
                String.valueOf(metadata.getLabels()),
                String.valueOf(metadata.getAnnotations()),
                // Those that it needs first tolerate them.
                resource.getStatus() == null
                        ? ""
                        : String.valueOf(resource.getStatus().getReadinessTaints()));
    }

    /** Names of those that have this one in {@code spec.dependencies} or {@code spec.dependsOn}. */
    public List<String> dependents(String name) {
        return matching(other -> other.getSpec() != null
                && (other.getSpec().getDependencies().stream()
                                .anyMatch(needed -> needed.getChart() != null
                                        && name.equals(needed.getChart().getName()))
                        || other.getSpec().getDependsOn().stream().anyMatch(needed -> name.equals(needed.getName()))));
    }

    /** Names of those whose objects carry this label. */
    public List<String> labelled(String label) {
        return resources.keySet().stream()
                .filter(name -> MetadataKeys.specialResourceLabel(name).equals(label))
                .toList();
    }

    /** Names of those that select the node, or did, or hold something on it; a node of no other can make a difference to them. */
    public List<String> concernedBy(NodeCache.Change change) {
        return matching(resource -> concerns(change.before(), resource) || concerns(change.after(), resource));
    }

    private static boolean concerns(Optional<ObservedNode> node, SpecialResource resource) {
        Map<String, String> selector = Specs.of(resource).getNodeSelector();
        return node.isPresent()
                && (ServedNodes.matches(node.get().facts(), selector)
                        || node.get()
                                .appliedLabels()
                                .containsKey(MetadataKeys.nodeManager(
                                        resource.getMetadata().getName())));
    }

    private List<String> matching(Predicate<SpecialResource> test) {
        return resources.values().stream()
                .filter(test)
                .map(resource -> resource.getMetadata().getName())
                .toList();
    }
}
