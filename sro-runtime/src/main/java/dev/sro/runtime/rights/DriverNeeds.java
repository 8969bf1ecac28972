package dev.sro.runtime.rights;

import dev.sro.api.resource.DriverSpec;
import dev.sro.core.recipe.Recipe;
import dev.sro.runtime.plan.PreviewedResource;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.ArrayList;
import java.util.List;

/**
 * What SRO needs to write what loads the modules of {@code spec.driver}, which it does by its own rights. A plugin that brings a driver says
 * so itself. Immutable.
 *
 * @param written in the namespace of the operands
 * @param seen in the whole cluster, as no account of a recipe sees it
 */
record DriverNeeds(List<PolicyRule> written, List<PolicyRule> seen) {

    private static final String[] ALL = {"get", "list", "watch", "create", "patch", "delete"};
    private static final DriverNeeds NONE = new DriverNeeds(List.of(), List.of());
    private static final String RBAC = "rbac.authorization.k8s.io";

    /** Of a special resource: of the loader that it names, whether or not its image is known. */
    static DriverNeeds of(PreviewedResource previewed) {
        DriverSpec driver = previewed.resource().getSpec() == null
                ? null
                : previewed.resource().getSpec().getDriver();
        boolean others = previewed.preview().recipe().filter(Recipe::isOfOthers).isPresent();
        if (driver == null || !others) {
            return NONE;
        }
        return switch (driver.getLoader()) {
            case "HostProvided", "OwnStates" -> NONE;
            case "KmmModule" ->
                new DriverNeeds(
                        List.of(rule("kmm.sigs.x-k8s.io", "modules", ALL)),
                        List.of(rule("kmm.sigs.x-k8s.io", "modules", "list", "watch")));
            case "WorkerPod" ->
                pods(rule("", "podtemplates", ALL), rule("", "pods", "get", "create", "patch", "delete"));
            default -> pods(rule("apps", "daemonsets", ALL));
        };
    }

    /** Pods that load have an account, and on OpenShift the right to do on a node what that takes. */
    private static DriverNeeds pods(PolicyRule... rules) {
        PolicyRule privileged = new PolicyRuleBuilder(
                        rule("security.openshift.io", "securitycontextconstraints", "use"))
                .withResourceNames("privileged")
                .build();
        List<PolicyRule> all = new ArrayList<>(List.of(rules));
        all.add(rule(RBAC, "roles", ALL));
        all.add(privileged);
        return new DriverNeeds(List.copyOf(all), List.of());
    }

    private static PolicyRule rule(String group, String resource, String... verbs) {
        return new PolicyRuleBuilder()
                .withApiGroups(group)
                .withResources(resource)
                .withVerbs(verbs)
                .build();
    }
}
