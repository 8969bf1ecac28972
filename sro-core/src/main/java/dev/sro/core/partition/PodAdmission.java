package dev.sro.core.partition;

import dev.sro.core.model.MetadataKeys;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The objects by which the API server gives pods what {@link PodRules} say: policies that it applies itself, or the configuration of a
 * webhook. A failure of either lets the pod through as it is. Stateless.
 */
public final class PodAdmission {

    /** Since Kubernetes 1.36. */
    public static final String VERSION = "admissionregistration.k8s.io/v1";

    /** Kind of a policy. */
    public static final String POLICY = "MutatingAdmissionPolicy";

    /** Path of the webhook, before the name of the special resource. */
    public static final String PATH = "/partitioning/";

    private static final String CLAIMS = "resource.k8s.io/v1";

    private static final int TIMEOUT_SECONDS = 5;

    private PodAdmission() {}

    /**
     * Policies with their bindings.
     *
     * @param claims whether the cluster has claims for devices
     */
    public static List<Map<String, Object>> policies(
            String name, PodRules rules, AdmissionSettings settings, boolean claims) {
        List<Map<String, Object>> all = new ArrayList<>();
        if (!rules.resources().isEmpty()) {
            policy(all, name, rules, settings, PodExpressions.asksForResource(rules), "");
        }
        if (claims && !rules.deviceClasses().isEmpty()) {
            String direct = PodExpressions.asksByClaim(rules, false);
            policy(all, name + "-claims", rules, settings, direct, "ResourceClaim");
            String byTemplate = PodExpressions.asksByClaim(rules, true);
            policy(all, name + "-claim-templates", rules, settings, byTemplate, "ResourceClaimTemplate");
        }
        return all;
    }

    private static void policy(
            List<Map<String, Object>> all,
            String name,
            PodRules rules,
            AdmissionSettings settings,
            String asks,
            String parameter) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("failurePolicy", "Ignore");
        spec.put("reinvocationPolicy", "IfNeeded");
        if (!parameter.isEmpty()) {
            spec.put("paramKind", Map.of("apiVersion", CLAIMS, "kind", parameter));
        }
        spec.put(
                "matchConstraints",
                Map.of("namespaceSelector", namespaces(settings), "resourceRules", List.of(podsAreCreated())));
        spec.put("matchConditions", conditions(rules, asks));
        spec.put(
                "mutations",
                List.of(Map.of(
                        "patchType", "JSONPatch", "jsonPatch", Map.of("expression", PodExpressions.patch(rules)))));
        all.add(object(POLICY, name, Map.of(), "spec", spec));
        Map<String, Object> binding = new LinkedHashMap<>();
        binding.put("policyName", name);
        if (!parameter.isEmpty()) {
            // All of the pod's own namespace; the policy is asked about each.
            binding.put("paramRef", Map.of("selector", Map.of(), "parameterNotFoundAction", "Allow"));
        }
        all.add(object(POLICY + "Binding", name, Map.of(), "spec", binding));
    }

    /** The configuration of the webhook. The rules go with it, so that whoever answers need not ask for them. */
    public static Map<String, Object> webhook(
            String name,
            String specialResource,
            PodRules rules,
            AdmissionSettings settings,
            AdmissionSettings.Webhook target) {
        Map<String, Object> client = new LinkedHashMap<>();
        if (target.url().isPresent()) {
            client.put("url", target.url().get() + PATH + specialResource);
        } else {
            Map<String, Object> service = new LinkedHashMap<>();
            service.put("namespace", target.namespace());
            service.put("name", target.service());
            service.put("path", PATH + specialResource);
            service.put("port", target.port());
            client.put("service", service);
        }
        target.caBundle().ifPresent(bundle -> client.put("caBundle", bundle));
        Map<String, Object> webhook = new LinkedHashMap<>();
        webhook.put("name", "partitioning.sro.dev");
        webhook.put("clientConfig", client);
        webhook.put("rules", List.of(podsAreCreated()));
        webhook.put("namespaceSelector", namespaces(settings));
        webhook.put("matchConditions", conditions(rules, PodExpressions.asksForResource(rules)));
        webhook.put("failurePolicy", "Ignore");
        webhook.put("matchPolicy", "Equivalent");
        webhook.put("sideEffects", "None");
        webhook.put("timeoutSeconds", TIMEOUT_SECONDS);
        webhook.put("admissionReviewVersions", List.of("v1"));
        webhook.put("reinvocationPolicy", "IfNeeded");
        Map<String, String> annotations = new TreeMap<>(target.annotations());
        annotations.put(MetadataKeys.POD_RULES, rules.text());
        return object("MutatingWebhookConfiguration", name, annotations, "webhooks", List.of(webhook));
    }

    private static List<Map<String, Object>> conditions(PodRules rules, String asks) {
        return List.of(
                Map.of("name", "asks-for-the-device", "expression", asks),
                Map.of("name", "lacks-something", "expression", PodExpressions.lacks(rules)));
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

    private static Map<String, Object> namespaces(AdmissionSettings settings) {
        List<String> excluded = new ArrayList<>(List.of("kube-system"));
        settings.excludedNamespaces().stream()
                .filter(name -> !excluded.contains(name))
                .forEach(excluded::add);
        return Map.of(
                "matchExpressions",
                List.of(Map.of("key", "kubernetes.io/metadata.name", "operator", "NotIn", "values", excluded)));
    }

    private static Map<String, Object> object(
            String kind, String name, Map<String, String> annotations, String field, Object content) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", name);
        if (!annotations.isEmpty()) {
            metadata.put("annotations", annotations);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", VERSION);
        object.put("kind", kind);
        object.put("metadata", metadata);
        object.put(field, content);
        return object;
    }
}
