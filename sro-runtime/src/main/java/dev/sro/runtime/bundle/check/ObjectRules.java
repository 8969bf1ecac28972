package dev.sro.runtime.bundle.check;

import static dev.sro.runtime.bundle.check.BundleRule.API_DEPRECATED;
import static dev.sro.runtime.bundle.check.BundleRule.API_REMOVED;
import static dev.sro.runtime.bundle.check.BundleRule.DISRUPTION_BUDGET;
import static dev.sro.runtime.bundle.check.BundleRule.PRIORITY_DEFAULT;
import static dev.sro.runtime.bundle.check.BundleRule.RIGHTS_TO_BUDGETS;
import static dev.sro.runtime.bundle.check.BundleRule.RIGHTS_TO_CRDS;
import static dev.sro.runtime.bundle.check.BundleRule.RIGHTS_TO_DEFAULT_SCC;

import dev.sro.core.model.ValueTrees;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;

/** Objects that would do harm, or that no cluster takes any more. Stateless. */
final class ObjectRules {

    /** The minor version of Kubernetes that had them no more. */
    private static final Map<String, Integer> REMOVED = Map.of(
            "apiextensions.k8s.io/v1beta1", 22,
            "rbac.authorization.k8s.io/v1beta1", 22,
            "rbac.authorization.k8s.io/v1alpha1", 22,
            "scheduling.k8s.io/v1beta1", 22,
            "scheduling.k8s.io/v1alpha1", 22,
            "policy/v1beta1", 25);

    /** Those that come with OpenShift. */
    private static final Set<String> DEFAULT_SCC = Set.of(
            "anyuid",
            "hostaccess",
            "hostmount-anyuid",
            "hostmount-anyuid-v2",
            "hostnetwork",
            "hostnetwork-v2",
            "nested-container",
            "node-exporter",
            "nonroot",
            "nonroot-v2",
            "privileged",
            "restricted",
            "restricted-v2",
            "restricted-v3");

    private static final Set<String> CHANGING = Set.of("create", "update", "patch", "delete", "deletecollection", "*");

    private ObjectRules() {}

    static void check(Bundle bundle, Findings findings) {
        int least = least(bundle);
        for (Bundle.Manifest manifest : bundle.manifests()) {
            Map<String, Object> object = manifest.object();
            switch (manifest.kind()) {
                case "PodDisruptionBudget" -> budget(manifest, findings);
                case "PriorityClass" ->
                    findings.addUnless(
                            !Boolean.TRUE.equals(object.get("globalDefault")),
                            PRIORITY_DEFAULT,
                            manifest.file(),
                            "globalDefault would hold for pods of others; remove it");
                case "Role", "ClusterRole" -> rights(manifest.file(), ValueTrees.maps(object, "rules"), findings);
                default -> {
                    // Nothing is asked of other kinds.
                }
            }
            Integer removed = REMOVED.get(ValueTrees.text(object, "apiVersion"));
            if (removed != null) {
                findings.add(
                        least >= removed ? API_REMOVED : API_DEPRECATED,
                        manifest.file(),
                        ValueTrees.text(object, "apiVersion") + " is gone since Kubernetes 1." + removed + "; use v1");
            }
        }
    }

    /** Minor version of Kubernetes that is asked for; 0 where there is none. */
    private static int least(Bundle bundle) {
        return bundle.serviceVersion()
                .map(manifest ->
                        VersionRules.SEMVER.matcher(ValueTrees.text(manifest.object(), "spec", "minKubeVersion")))
                .filter(Matcher::matches)
                .map(version -> Integer.parseInt(version.group(2)))
                .orElse(0);
    }

    private static void budget(Bundle.Manifest manifest, Findings findings) {
        String most = ValueTrees.text(manifest.object(), "spec", "maxUnavailable");
        String least = ValueTrees.text(manifest.object(), "spec", "minAvailable");
        findings.addUnless(
                !most.equals("0") && !most.equals("0%") && !least.equals("100%"),
                DISRUPTION_BUDGET,
                manifest.file(),
                "allows no disruption: nodes could not be drained");
    }

    /** Rules of a role, wherever it is. */
    static void rights(String where, List<Map<String, Object>> rules, Findings findings) {
        for (Map<String, Object> rule : rules) {
            boolean changes = has(rule, "verbs", CHANGING);
            findings.addUnless(
                    !(changes && isOf(rule, "policy", "poddisruptionbudgets")),
                    RIGHTS_TO_BUDGETS,
                    where,
                    "may change PodDisruptionBudgets");
            findings.addUnless(
                    !(has(rule, "verbs", Set.of("create", "*"))
                            && isOf(rule, "apiextensions.k8s.io", "customresourcedefinitions")),
                    RIGHTS_TO_CRDS,
                    where,
                    "may create CustomResourceDefinitions, which a bundle should have");
            boolean defaults = !(rule.get("resourceNames") instanceof List<?> names)
                    || names.isEmpty()
                    || names.stream().anyMatch(DEFAULT_SCC::contains);
            findings.addUnless(
                    !(defaults
                            && has(rule, "verbs", Set.of("update", "patch", "delete", "deletecollection", "*"))
                            && isOf(rule, "security.openshift.io", "securitycontextconstraints")),
                    RIGHTS_TO_DEFAULT_SCC,
                    where,
                    "may change SecurityContextConstraints that come with OpenShift");
        }
    }

    private static boolean isOf(Map<String, Object> rule, String group, String resource) {
        return has(rule, "apiGroups", Set.of(group, "*")) && has(rule, "resources", Set.of(resource, "*"));
    }

    private static boolean has(Map<String, Object> rule, String field, Set<String> values) {
        return rule.get(field) instanceof List<?> list && list.stream().anyMatch(values::contains);
    }
}
