package dev.sro.plugins.nvidia;

import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.List;

/** The API rules that roles in the manifests grant, and so SRO has to have. Stateless. */
final class Rules {

    private Rules() {}

    static List<PolicyRule> all() {
        return List.of(
                rule("", List.of("nodes"), "get", "list", "watch", "patch", "update"),
                rule("", List.of("pods"), "get", "list", "watch", "delete"),
                rule("", List.of("pods/eviction"), "create"),
                rule("apps", List.of("daemonsets"), "get", "list", "watch"),
                rule("", List.of("events"), "create"),
                rule("resource.k8s.io", List.of("resourceclaims"), "get", "list"),
                rule(
                        "resource.k8s.io",
                        List.of("resourceslices"),
                        "get",
                        "list",
                        "watch",
                        "create",
                        "update",
                        "patch",
                        "delete"),
                new PolicyRuleBuilder()
                        .withApiGroups("security.openshift.io")
                        .withResources("securitycontextconstraints")
                        .withResourceNames("privileged")
                        .withVerbs("use")
                        .build());
    }

    private static PolicyRule rule(String group, List<String> resources, String... verbs) {
        return new PolicyRuleBuilder()
                .withApiGroups(group)
                .withResources(resources)
                .withVerbs(verbs)
                .build();
    }
}
