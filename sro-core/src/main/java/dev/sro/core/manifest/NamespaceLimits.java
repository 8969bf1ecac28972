package dev.sro.core.manifest;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.monitoring.MonitoringObjects;
import dev.sro.core.recipe.Recipe;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a recipe that no plugin brought may say of the namespace of its operands. SRO writes that by its own rights, as the account of the
 * recipe is in it, and labels of a namespace decide what its pods may do (Pod Security, security contexts, admin access to devices) and
 * which policies leave it alone: these are the administrator's. For one rendering; not thread-safe.
 */
public final class NamespaceLimits {

    /** Domains whose labels and annotations are orders to Kubernetes, OpenShift and engines of policies. */
    private static final List<String> ORDERS =
            List.of("kubernetes.io", "k8s.io", "openshift.io", "gatekeeper.sh", "kyverno.io", "istio.io");

    /** Those of these domains that only describe, or let metrics be read. */
    private static final List<String> HARMLESS_DOMAINS =
            List.of("app.kubernetes.io", "specialresource.openshift.io", "specialresrouce.openshift.io");

    private static final Set<String> HARMLESS = Set.of(
            MonitoringObjects.CLUSTER_MONITORING,
            "kubernetes.io/description",
            "kubernetes.io/metadata.name",
            "openshift.io/description",
            "openshift.io/display-name");

    /** Orders without a domain. */
    private static final Set<String> BARE_ORDERS = Set.of("istio-injection");

    private static final Set<String> KEPT = Set.of("name", "labels", "annotations", "ownerReferences");

    private final Recipe recipe;
    private final ObjectRef namespace;

    private NamespaceLimits(Recipe recipe, String namespace) {
        this.recipe = recipe;
        this.namespace = new ObjectRef("v1", "Namespace", "", namespace);
    }

    /** The states with what is left of the namespace; what is not is a warning of the recipe, with the way to have it all the same. */
    static List<DesiredState> within(List<DesiredState> states, Recipe recipe, String namespace) {
        NamespaceLimits limits = new NamespaceLimits(recipe, namespace);
        return states.stream().map(limits::limited).toList();
    }

    private DesiredState limited(DesiredState state) {
        if (state.objects().noneMatch(object -> object.object().ref().equals(namespace))) {
            return state;
        }
        Map<String, List<Desired>> byPool = new LinkedHashMap<>();
        state.byPool().forEach((pool, objects) -> byPool.put(pool, limited(objects)));
        return state.with(limited(state.shared()), byPool, new HashMap<>(state.problems()));
    }

    private List<Desired> limited(List<Desired> objects) {
        return objects.stream()
                .map(object -> object.object().ref().equals(namespace) ? limited(object) : object)
                .toList();
    }

    private Desired limited(Desired object) {
        List<String> warnings = new ArrayList<>();
        KubeObject rest = object.object().edit(tree -> {
            Map<String, Object> metadata = ValueTrees.ensureMap(tree, "metadata");
            withoutOrders(ValueTrees.ensureMap(metadata, "labels"), "label", namespace.name(), warnings);
            withoutOrders(ValueTrees.ensureMap(metadata, "annotations"), "annotate", namespace.name(), warnings);
            metadata.keySet().retainAll(KEPT);
            tree.remove("spec");
            ValueTrees.ensureMap(metadata, "annotations").remove(MetadataKeys.APPLIED);
        });
        warnings.forEach(recipe::warn);
        return new Desired(AppliedDigest.stamp(rest), object.state(), object.pool());
    }

    /**
     * Takes out what is an order.
     *
     * @param fields labels or annotations, which change
     * @param verb of kubectl that sets such a field
     * @param namespace that they are for
     * @param warnings gets a line for each that is taken out
     */
    public static void withoutOrders(
            Map<String, ?> fields, String verb, String namespace, Collection<String> warnings) {
        for (Map.Entry<String, ?> entry : new TreeMap<>(fields).entrySet()) {
            if (isOrder(entry.getKey())) {
                fields.remove(entry.getKey());
                warnings.add("Namespace " + namespace
                        + ": what decides what its pods may do is not taken from a recipe;"
                        + " if it shall be: kubectl " + verb + " namespace " + namespace + " " + entry.getKey() + "="
                        + entry.getValue());
            }
        }
    }

    private static boolean isOrder(String key) {
        int slash = key.indexOf('/');
        String domain = slash < 0 ? "" : key.substring(0, slash);
        return BARE_ORDERS.contains(key)
                || (isBelow(ORDERS, domain) && !HARMLESS_DOMAINS.contains(domain) && !HARMLESS.contains(key));
    }

    private static boolean isBelow(List<String> domains, String domain) {
        return domains.stream().anyMatch(each -> domain.equals(each) || domain.endsWith("." + each));
    }
}
