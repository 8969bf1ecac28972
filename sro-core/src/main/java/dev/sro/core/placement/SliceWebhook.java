package dev.sro.core.placement;

import dev.sro.core.das.DasNames;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.slicing.mig.MigResources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The configurations by which the API server asks about pods with slices, and about no others: a webhook that is away holds up nobody else. They need match
 * conditions, of Kubernetes 1.28. Stateless.
 */
public final class SliceWebhook {
    /** Name of the configuration. */
    public static final String NAME = "sro-slices";

    /** Name of the configuration for pods whose limits the allocator serves, and of its Service. */
    public static final String LIMITS_NAME = "sro-slices-allocator";

    /** Path of the webhook by which such pods are changed. */
    public static final String LIMITS_PATH = "/limits";

    /** Label of a namespace or of a pod. */
    public static final String LABEL = "slices.sro.dev/webhook";

    /** Value of {@link #LABEL}: pods are left as they are. */
    public static final String IGNORE = "ignore";

    private static final int TIMEOUT_SECONDS = 5;

    private SliceWebhook() {}

    /**
     * The object.
     *
     * @param path of the {@link SlicePodRules} by which pods are changed; may be the place of a chart
     * @param namespace of the Service {@link #NAME}, whose pods are left as they are; may be the place of a chart
     * @param annotations by which somebody writes the CA; may be the place of a chart
     * @param caBundle base64 of PEM; empty where an annotation has somebody write it
     */
    public static Map<String, Object> configuration(
            Object path, Object namespace, Object annotations, Object caBundle) {
        String one = "r.startsWith('" + MigResources.PREFIX + "') || r.startsWith('" + DasNames.RESOURCES + "')";
        return configuration(NAME, "slices.sro.dev", path, one, new Reached(namespace, annotations, caBundle));
    }

    /**
     * The object for pods whose limits the allocator serves: of the resources of the classes that are installed, and of those that Kubernetes makes of the names
     * of our classes.
     *
     * @param namespace of the Service {@link #LIMITS_NAME}, whose pods are left as they are; may be the place of a chart
     * @param annotations by which somebody writes the CA; may be the place of a chart
     * @param caBundle base64 of PEM; empty where an annotation has somebody write it
     */
    public static Map<String, Object> limits(Object namespace, Object annotations, Object caBundle) {
        String one = "r.startsWith('" + MigResources.PREFIX + "') || r.startsWith('" + DasNames.RESOURCES
                + "') || (r.startsWith('deviceclass.resource.kubernetes.io/') && r.endsWith('." + DraOptions.DRIVER
                + "'))";
        return configuration(
                LIMITS_NAME, "limits.slices.sro.dev", LIMITS_PATH, one, new Reached(namespace, annotations, caBundle));
    }

    private record Reached(Object namespace, Object annotations, Object caBundle) {}

    private static Map<String, Object> configuration(
            String name, String asked, Object path, String one, Reached reached) {
        Map<String, Object> webhook = new LinkedHashMap<>();
        webhook.put("name", asked);
        webhook.put("clientConfig", client(name, path, reached));
        webhook.put("rules", List.of(podsAreCreated()));
        webhook.put(
                "namespaceSelector",
                Map.of(
                        "matchExpressions",
                        List.of(
                                expression("kubernetes.io/metadata.name", List.of("kube-system", reached.namespace())),
                                expression(LABEL, List.of(IGNORE)))));
        webhook.put("objectSelector", Map.of("matchExpressions", List.of(expression(LABEL, List.of(IGNORE)))));
        webhook.put("matchConditions", conditions(one));
        // Of pods with slices alone; stored unchanged, they would be placed by counts that cannot all be had, or never.
        webhook.put("failurePolicy", "Fail");
        webhook.put("matchPolicy", "Equivalent");
        webhook.put("sideEffects", "None");
        webhook.put("timeoutSeconds", TIMEOUT_SECONDS);
        webhook.put("admissionReviewVersions", List.of("v1"));
        webhook.put("reinvocationPolicy", "IfNeeded");
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", name);
        if (!reached.annotations().equals(Map.of())) {
            metadata.put("annotations", reached.annotations());
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", "admissionregistration.k8s.io/v1");
        object.put("kind", "MutatingWebhookConfiguration");
        object.put("metadata", metadata);
        object.put("webhooks", List.of(webhook));
        return object;
    }

    private static Map<String, Object> client(String name, Object path, Reached reached) {
        Map<String, Object> service = new LinkedHashMap<>();
        service.put("namespace", reached.namespace());
        service.put("name", name);
        service.put("path", path);
        service.put("port", 443);
        Map<String, Object> client = new LinkedHashMap<>();
        client.put("service", service);
        if (!reached.caBundle().equals("")) {
            client.put("caBundle", reached.caBundle());
        }
        return client;
    }

    private static Map<String, Object> expression(String key, List<Object> values) {
        Map<String, Object> expression = new LinkedHashMap<>();
        expression.put("key", key);
        expression.put("operator", "NotIn");
        expression.put("values", values);
        return expression;
    }

    private static Map<String, Object> podsAreCreated() {
        Map<String, Object> rule = new LinkedHashMap<>();
        rule.put("apiGroups", List.of(""));
        rule.put("apiVersions", List.of("v1"));
        rule.put("operations", List.of("CREATE"));
        rule.put("resources", List.of("pods"));
        rule.put("scope", "Namespaced");
        return rule;
    }

    /** With {@code has()} and no optional fields, so that Kubernetes 1.28 knows them, and none of them fails. */
    private static List<Map<String, Object>> conditions(String one) {
        String any = "c, has(c.resources) && ((has(c.resources.limits) && c.resources.limits.exists(r, " + one
                + ")) || (has(c.resources.requests) && c.resources.requests.exists(r, " + one + ")))";
        List<Map<String, Object>> conditions = new ArrayList<>();
        conditions.add(condition(
                "asks-for-slices",
                "object.spec.containers.exists(" + any + ") || (has(object.spec.initContainers)"
                        + " && object.spec.initContainers.exists(" + any + "))"));
        conditions.add(condition(
                "is-no-mirror",
                "!has(object.metadata.annotations) || !('kubernetes.io/config.mirror' in"
                        + " object.metadata.annotations)"));
        return conditions;
    }

    private static Map<String, Object> condition(String name, String expression) {
        Map<String, Object> condition = new LinkedHashMap<>();
        condition.put("name", name);
        condition.put("expression", expression);
        return condition;
    }
}
