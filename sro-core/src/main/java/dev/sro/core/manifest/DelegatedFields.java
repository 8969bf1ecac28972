package dev.sro.core.manifest;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.Json;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fields that a recipe writes and leaves to a controller all the same, because it says so: the authority of a webhook that
 * cert-manager or OpenShift's service CA injects, the replicas of what an autoscaler of the recipe scales, images that OpenShift's
 * image triggers fill in. The recipe's value is what they begin with; from then on theirs counts, as with Helm and the original
 * operator, which wrote again only what the recipe made otherwise. Immutable, thread-safe.
 *
 * <p>Sources: cert-manager's {@code pkg/apis/certmanager/v1/types.go}, OpenShift's service-ca-operator and
 * cluster-network-operator, {@code docs} of {@code image.openshift.io/triggers}, KEDA's ScaledObject.
 */
public final class DelegatedFields {

    private static final List<String> INJECTED_FROM = List.of(
            "cert-manager.io/inject-ca-from",
            "cert-manager.io/inject-ca-from-secret",
            "cert-manager.io/inject-apiserver-ca");

    private static final String SERVICE_AUTHORITY = "service.beta.openshift.io/inject-cabundle";
    private static final String TRUSTED_AUTHORITIES = "config.openshift.io/inject-trusted-cabundle";
    private static final String TRIGGERS = "image.openshift.io/triggers";

    /** {@code …containers[?(@.name=="driver")].image} or {@code …containers[0].image}. */
    private static final Pattern IMAGE = Pattern.compile(
            "(containers|initContainers)\\[(?:\\?\\(@\\.name==[\"']([^\"']+)[\"']\\)|(\\d{1,4}))]\\.image$");

    private static final Set<String> SCALERS = Set.of("HorizontalPodAutoscaler", "ScaledObject");

    private final Set<String> scaled;

    private DelegatedFields(Set<String> scaled) {
        this.scaled = scaled;
    }

    /** Of a recipe with these states. */
    public static DelegatedFields of(Collection<DesiredState> states) {
        Set<String> scaled = new HashSet<>();
        states.stream()
                .flatMap(state -> Stream.concat(
                        state.shared().stream(),
                        state.byPool().values().stream().flatMap(List::stream)))
                .map(Desired::object)
                .filter(object -> SCALERS.contains(object.ref().kind()))
                .forEach(scaler -> {
                    Map<String, Object> target = ValueTrees.map(scaler.tree(), "spec", "scaleTargetRef");
                    String kind = ValueTrees.text(target, "kind");
                    scaled.add(key(
                            kind.isEmpty() ? "Deployment" : kind,
                            scaler.ref().namespace(),
                            ValueTrees.text(target, "name")));
                });
        return new DelegatedFields(scaled);
    }

    private static String key(String kind, String namespace, String name) {
        return kind + " " + namespace + "/" + name;
    }

    /** The object with the values that a live one has in such fields; the same where it has none. */
    public KubeObject kept(KubeObject wanted, KubeObject live) {
        ObjectRef ref = wanted.ref();
        boolean replicas = scaled.contains(key(ref.kind(), ref.namespace(), ref.name()));
        boolean authority = isInjected(wanted);
        String triggers = wanted.annotation(TRIGGERS).orElse("");
        if (!replicas && !authority && triggers.isEmpty()) {
            return wanted;
        }
        return wanted.edit(tree -> {
            if (replicas) {
                copy(ValueTrees.map(live.tree(), "spec"), ValueTrees.map(tree, "spec"), "replicas");
            }
            if (authority) {
                authorities(tree, live.tree());
            }
            if (!triggers.isEmpty()) {
                images(triggers, tree, live.tree());
            }
        });
    }

    private static boolean isInjected(KubeObject wanted) {
        return INJECTED_FROM.stream().anyMatch(key -> wanted.annotation(key).isPresent())
                || "true".equals(wanted.annotation(SERVICE_AUTHORITY).orElse(""))
                || "true".equals(wanted.label(TRUSTED_AUTHORITIES).orElse(""));
    }

    private static void authorities(Map<String, Object> tree, Map<String, Object> live) {
        List<Map<String, Object>> theirs = ValueTrees.maps(live, "webhooks");
        for (Map<String, Object> webhook : ValueTrees.maps(tree, "webhooks")) {
            theirs.stream()
                    .filter(other -> ValueTrees.text(other, "name").equals(ValueTrees.text(webhook, "name")))
                    .forEach(other -> copy(
                            ValueTrees.map(other, "clientConfig"),
                            ValueTrees.map(webhook, "clientConfig"),
                            "caBundle"));
        }
        // Of an APIService, of a definition with a conversion, of a ConfigMap.
        copy(ValueTrees.map(live, "spec"), ValueTrees.map(tree, "spec"), "caBundle");
        copy(
                ValueTrees.map(live, "spec", "conversion", "webhook", "clientConfig"),
                ValueTrees.map(tree, "spec", "conversion", "webhook", "clientConfig"),
                "caBundle");
        copy(ValueTrees.map(live, "data"), ValueTrees.map(tree, "data"), "ca-bundle.crt");
        copy(ValueTrees.map(live, "data"), ValueTrees.map(tree, "data"), "service-ca.crt");
    }

    private static void images(String triggers, Map<String, Object> tree, Map<String, Object> live) {
        if (!(read(triggers) instanceof List<?> all)) {
            return;
        }
        for (Object trigger : all) {
            Matcher path = IMAGE.matcher(trigger instanceof Map<?, ?> map ? String.valueOf(map.get("fieldPath")) : "");
            if (path.find()) {
                Map<String, Object> ours = container(tree, path);
                Map<String, Object> theirs = container(live, path);
                if (ours != null && theirs != null) {
                    copy(theirs, ours, "image");
                }
            }
        }
    }

    /** What an author wrote there names nothing when it is no JSON. */
    private static @Nullable Object read(String text) {
        try {
            return Json.read(text);
        } catch (IllegalStateException e) {
            return null;
        }
    }

    private static @Nullable Map<String, Object> container(Map<String, Object> tree, Matcher path) {
        List<Map<String, Object>> containers =
                ValueTrees.maps(tree, "spec", "template", "spec", String.valueOf(path.group(1)));
        String index = path.group(3);
        if (index != null) {
            int at = Integer.parseInt(index);
            return at < containers.size() ? containers.get(at) : null;
        }
        return containers.stream()
                .filter(container -> ValueTrees.text(container, "name").equals(path.group(2)))
                .findFirst()
                .orElse(null);
    }

    /** Where both have the field. */
    private static void copy(Map<String, Object> from, Map<String, Object> to, String key) {
        Object value = from.get(key);
        if (value != null && to.containsKey(key)) {
            to.put(key, value);
        }
    }
}
