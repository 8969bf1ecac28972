package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.quota.Amounts;
import dev.sro.testkit.quota.ObjectUsage;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The quotas of a namespace and what its objects take of them. To be called with the store's lock held. */
final class NamespaceQuotas {
    static final Gvr QUOTAS = Gvr.core("resourcequotas");
    private static final String FOR_POD = "resource.kubernetes.io/extended-resource-claim";

    private final Store store;
    private final Supplier<Instant> now;

    NamespaceQuotas(Store store, Supplier<Instant> now) {
        this.store = store;
        this.now = now;
    }

    boolean isEmpty() {
        return store.table(QUOTAS).objects.isEmpty();
    }

    Collection<Stored> of(String namespace) {
        return store.table(QUOTAS).in(namespace);
    }

    /** What one object takes of a quota; empty if the quota does not count it. */
    SortedMap<String, String> usage(Gvr type, ObjectNode object, JsonNode quota) {
        ObjectUsage usage = new ObjectUsage(type.groupResource(), object, now.get());
        if (!usage.isIn(quota)) {
            return new TreeMap<>();
        }
        SortedMap<String, String> amounts = usage.amounts(this::extendedName);
        ObjectNode pod = podOf(object);
        if (pod != null) {
            ObjectUsage.withoutPod(
                    amounts, new ObjectUsage(Gvr.PODS.groupResource(), pod, now.get()).amounts(this::extendedName));
        }
        return amounts;
    }

    /** The pod for whose extended resources a claim was made. */
    private @Nullable ObjectNode podOf(ObjectNode claim) {
        if (!Json.text(claim, "metadata", "annotations", FOR_POD).equals("true")) {
            return null;
        }
        for (JsonNode owner : claim.path("metadata").path("ownerReferences")) {
            if (owner.path("controller").asBoolean() && Json.text(owner, "kind").equals("Pod")) {
                Stored pod = store.get(Gvr.PODS, new Key(Json.namespace(claim), Json.text(owner, "name")));
                if (pod != null && Json.uid(pod.object()).equals(Json.text(owner, "uid"))) {
                    return pod.object();
                }
            }
        }
        return null;
    }

    private String extendedName(String deviceClass) {
        Stored found = store.get(Gvr.DEVICECLASSES, Key.of(null, deviceClass));
        return found == null ? "" : Json.text(found.object(), "spec", "extendedResourceName");
    }

    /** What all objects of the namespace take of a quota, by each of the resources that it limits. */
    SortedMap<String, String> used(String namespace, JsonNode quota) {
        SortedMap<String, String> hard = Amounts.of(quota.path("spec").path("hard"));
        SortedMap<String, String> used = new TreeMap<>();
        hard.keySet().forEach(name -> used.put(name, "0"));
        for (Table table : List.copyOf(store.tables())) {
            for (Stored stored : table.in(namespace)) {
                if (Json.namespace(stored.object()).equals(namespace)) {
                    SortedMap<String, String> amounts = usage(table.type, stored.object(), quota);
                    amounts.keySet().retainAll(hard.keySet());
                    Amounts.add(used, amounts);
                }
            }
        }
        return used;
    }
}
