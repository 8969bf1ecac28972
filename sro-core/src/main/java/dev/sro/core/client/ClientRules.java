package dev.sro.core.client;

import dev.sro.api.PluginDescriptor;
import dev.sro.api.resource.SpecialResource;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The API rules that {@link ClientOperator} needs, for the role of whatever embeds it. Stateless. */
public final class ClientRules {

    /** The namespace where Kubernetes keeps events about objects that have none. */
    public static final String EVENT_NAMESPACE = ClientEvents.NAMESPACE;

    private ClientRules() {}

    /** For every special resource, in the whole cluster. */
    public static List<PolicyRule> cluster() {
        return List.of(
                // To write those that others depend on, too: whether one exists already is asked before it is made.
                rule(SpecialResource.GROUP, "specialresources", "get", "list", "watch", "create", "patch", "delete"),
                rule(SpecialResource.GROUP, "specialresources/status", "patch"),
                // Where owner references that block deletion are policed.
                rule(SpecialResource.GROUP, "specialresources/finalizers", "update"),
                rule(SpecialResource.GROUP, "preflightvalidations", "list", "watch"),
                rule(SpecialResource.GROUP, "preflightvalidations/status", "patch"),
                rule(SpecialResource.GROUP, "specialresourcemodules", "list", "watch", "patch"),
                rule(SpecialResource.GROUP, "specialresourcemodules/status", "patch"),
                rule(SpecialResource.GROUP, "specialresourcemodules/finalizers", "update"),
                rule("", "nodes", "list", "watch", "patch"),
                rule("", "namespaces", "get", "list", "watch", "create", "patch", "delete"),
                // Where drivers are upgraded node by node: the driver's own pods are deleted, users of the device
                // evicted.
                rule("", "pods", "list", "watch", "delete"),
                rule("", "pods/eviction", "create"),
                // What an upgrade remembers.
                rule("", "configmaps", "get", "list", "watch", "create", "patch", "delete"),
                // What objects wait for with the annotation wait-for-logs.
                rule("", "pods/log", "get"),
                // The Builds of a BuildConfig, where OpenShift serves them.
                rule("build.openshift.io", "builds", "list", "watch"),
                // What Node Feature Discovery knows of nodes before their labels; without this right the labels are
                // waited for.
                rule("nfd.k8s-sigs.io", "nodefeatures", "list", "watch"),
                // What OpenShift says of itself, for recipes; without these rights they get empty values.
                named("config.openshift.io", "clusterversions", "version"),
                named("config.openshift.io", "proxies", "cluster"),
                named("image.openshift.io", "imagestreams", "driver-toolkit"),
                named("", "configmaps", "machine-config-osimageurl"),
                named("", "serviceaccounts", "builder"));
    }

    /** For the records of releases of charts, in the whole cluster; without them hooks of charts do not run. */
    public static List<PolicyRule> releases() {
        return List.of(rule("", "secrets", "get", "list", "watch", "create", "patch", "delete"));
    }

    /**
     * To build images of drivers, in the whole cluster or in the operand namespaces; without them nothing is built. What a build takes in
     * (ConfigMaps, Secrets) is watched by name, and Secrets are not written.
     */
    public static List<PolicyRule> builds() {
        String[] all = {"get", "list", "watch", "create", "patch", "delete"};
        return List.of(
                rule("", "configmaps", all),
                rule("", "secrets", "list", "watch"),
                rule("batch", "jobs", all),
                rule("build.openshift.io", "buildconfigs", all),
                rule("image.openshift.io", "imagestreams", all),
                rule("shipwright.io", "builds", all),
                rule("shipwright.io", "buildruns", all),
                rule("shipwright.io", "buildstrategies", all));
    }

    /** For events, in {@link #EVENT_NAMESPACE}; without them events are dropped, and nothing else. */
    public static List<PolicyRule> events() {
        return List.of(rule("events.k8s.io", "events", "create", "patch"));
    }

    /** For the operands of a plugin, and the rules that it asks for itself. */
    public static List<PolicyRule> plugin(PluginDescriptor plugin) {
        SortedMap<String, List<String>> byGroup = new TreeMap<>();
        for (String resource : plugin.operandResources()) {
            int dot = resource.indexOf('.');
            String group = dot < 0 ? "" : resource.substring(dot + 1);
            byGroup.computeIfAbsent(group, unused -> new ArrayList<>())
                    .add(dot < 0 ? resource : resource.substring(0, dot));
        }
        List<PolicyRule> rules = new ArrayList<>();
        byGroup.forEach((group, resources) -> rules.add(new PolicyRuleBuilder()
                .withApiGroups(group)
                .withResources(resources.stream().distinct().sorted().toList())
                .withVerbs("get", "list", "watch", "create", "patch", "delete")
                .build()));
        rules.addAll(plugin.rbacRules());
        return List.copyOf(rules);
    }

    /** To list and watch the objects of one name, asked for by that name. */
    private static PolicyRule named(String group, String resource, String name) {
        return new PolicyRuleBuilder()
                .withApiGroups(group)
                .withResources(resource)
                .withResourceNames(name)
                .withVerbs("list", "watch")
                .build();
    }

    private static PolicyRule rule(String group, String resource, String... verbs) {
        return new PolicyRuleBuilder()
                .withApiGroups(group)
                .withResources(resource)
                .withVerbs(verbs)
                .build();
    }
}
