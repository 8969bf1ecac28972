package dev.sro.core.client.rights;

import dev.sro.api.PluginDescriptor;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.client.ClientOperator;
import dev.sro.core.client.companion.ClientModules;
import dev.sro.core.client.companion.ClientPreflights;
import dev.sro.core.client.discovery.FeatureWatch;
import dev.sro.core.client.writer.ClientEvents;
import dev.sro.core.manifest.AccountManifests;
import dev.sro.core.monitoring.MonitoringObjects;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/** The API rules that {@link ClientOperator} needs, for the role of whatever embeds it. Stateless. */
public final class ClientRules {

    /** The namespace where Kubernetes keeps events about objects that have none. */
    public static final String EVENT_NAMESPACE = ClientEvents.NAMESPACE;

    private static final Set<String> ESCALATING = Set.of("escalate", "bind", "impersonate");

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
                // Whose device such a pod uses, where it has resource claims; and whether a driver that goes has
                // allocated any.
                rule("resource.k8s.io", "resourceclaims", "list", "watch"),
                // What an upgrade remembers.
                rule("", "configmaps", "get", "list", "watch", "create", "patch", "delete"),
                // What objects wait for with the annotation wait-for-logs.
                rule("", "pods/log", "get"),
                // The Builds of a BuildConfig, where OpenShift serves them.
                rule("build.openshift.io", "builds", "list", "watch"),
                // What Node Feature Discovery knows of nodes before their labels; without this right the labels are
                // waited for.
                rule(FeatureWatch.GROUP, FeatureWatch.RESOURCE, "list", "watch"),
                // Node Feature Discovery may come after SRO, and so may definitions of SRO's own that not every cluster
                // has.
                named(
                        "apiextensions.k8s.io",
                        "customresourcedefinitions",
                        FeatureWatch.RESOURCE + "." + FeatureWatch.GROUP,
                        ClientPreflights.RESOURCE,
                        ClientModules.RESOURCE),
                // What OpenShift says of itself, for recipes; without these rights they get empty values.
                named("config.openshift.io", "clusterversions", "version"),
                named("config.openshift.io", "proxies", "cluster"),
                named("image.openshift.io", "imagestreams", "driver-toolkit"),
                named("", "configmaps", "machine-config-osimageurl"),
                named("", "serviceaccounts", "builder"));
    }

    /**
     * To make the accounts by whose rights recipes are applied, and to act as them; without these rights charts and numbered manifests
     * are not applied, unless that is done by the operator's own.
     *
     * @param account what they are called
     */
    public static List<PolicyRule> recipeAccounts(String account) {
        String group = "rbac.authorization.k8s.io";
        String[] all = {"get", "list", "watch", "create", "patch", "delete"};
        return List.of(
                rule("", "serviceaccounts", all),
                rule(group, "rolebindings", all),
                // This role alone: what else an account may do is for somebody to grant who has it.
                only(rule(group, "clusterroles", "bind"), AccountManifests.ROLE),
                // And this account alone: one of another name is for somebody to grant who knows what it may do.
                only(rule("", "serviceaccounts", "impersonate"), account));
    }

    /**
     * What recipes commonly need in the namespace of their operands: the ClusterRole {@link AccountManifests#ROLE}. Roles are among it, as
     * nobody can put more into one than he has.
     */
    public static List<PolicyRule> recipes() {
        String[] all = {"get", "list", "watch", "create", "update", "patch", "delete"};
        return List.of(
                rules(
                        "",
                        all,
                        "configmaps",
                        "persistentvolumeclaims",
                        "pods",
                        "podtemplates",
                        "secrets",
                        "serviceaccounts",
                        "services"),
                rules("apps", all, "daemonsets", "deployments", "replicasets", "statefulsets"),
                rules("batch", all, "cronjobs", "jobs"),
                rules("build.openshift.io", all, "buildconfigs"),
                rules("coordination.k8s.io", all, "leases"),
                rules("image.openshift.io", all, "imagestreams"),
                rules("monitoring.coreos.com", all, "podmonitors", "prometheusrules", "servicemonitors"),
                rules("networking.k8s.io", all, "ingresses", "networkpolicies"),
                rules("rbac.authorization.k8s.io", all, "rolebindings", "roles"));
    }

    private static PolicyRule rules(String group, String[] verbs, String... resources) {
        return new PolicyRuleBuilder()
                .withApiGroups(group)
                .withResources(resources)
                .withVerbs(verbs)
                .build();
    }

    private static PolicyRule only(PolicyRule rule, String name) {
        return new PolicyRuleBuilder(rule).withResourceNames(name).build();
    }

    /** To find out who asks for metrics, and whether he may. */
    public static List<PolicyRule> reviews() {
        return List.of(
                rule("authentication.k8s.io", "tokenreviews", "create"),
                rule("authorization.k8s.io", "subjectaccessreviews", "create"));
    }

    /** For the records of releases of charts, in the whole cluster; without them hooks of charts do not run. */
    public static List<PolicyRule> releases() {
        return List.of(rule("", "secrets", "get", "list", "watch", "create", "patch", "delete"));
    }

    /**
     * To build images of drivers, in the whole cluster or in the operand namespaces; without them nothing is built. Secrets are not among
     * it: those that a build takes in are to be granted by their names, with {@code list} and {@code watch}, and those to pull with,
     * with {@code get}; {@code sro rbac --for} prints them.
     */
    public static List<PolicyRule> builds() {
        String[] all = {"get", "list", "watch", "create", "patch", "delete"};
        return List.of(
                rule("", "configmaps", all),
                rule("batch", "jobs", all),
                rule("build.openshift.io", "buildconfigs", all),
                rule("image.openshift.io", "imagestreams", all),
                // Of images that SRO built and nobody needs any more.
                rule("image.openshift.io", "imagestreamtags", "delete"),
                rule("shipwright.io", "builds", all),
                rule("shipwright.io", "buildruns", all),
                rule("shipwright.io", "buildstrategies", all));
    }

    /**
     * For {@code spec.partitioning}, in the whole cluster; without them only taints of nodes and tolerations of operands are dealt with.
     * Who may write admission policies can change every pod, so they are a role of their own.
     */
    public static List<PolicyRule> partitioning() {
        String[] all = {"get", "list", "watch", "create", "patch", "delete"};
        return List.of(
                rule("scheduling.k8s.io", "priorityclasses", all),
                rule("admissionregistration.k8s.io", "mutatingadmissionpolicies", all),
                rule("admissionregistration.k8s.io", "mutatingadmissionpolicybindings", all),
                rule("admissionregistration.k8s.io", "mutatingwebhookconfigurations", all),
                // Policies that look at claims may be written, and bound, only by those who may read claims.
                rule("resource.k8s.io", "resourceclaims", "get", "list"),
                rule("resource.k8s.io", "resourceclaimtemplates", "get", "list"));
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
        SortedSet<String> definitions = MonitoringObjects.optional(plugin);
        if (!definitions.isEmpty()) {
            // To know when one of them comes.
            rules.add(new PolicyRuleBuilder()
                    .withApiGroups("apiextensions.k8s.io")
                    .withResources("customresourcedefinitions")
                    .withResourceNames(List.copyOf(definitions))
                    .withVerbs("list", "watch")
                    .build());
        }
        rules.addAll(plugin.rbacRules());
        return List.copyOf(rules);
    }

    /**
     * What is wrong with rules that a plugin asks for: {@code *} in any part, and the verbs with which one gives oneself every other
     * right ({@code escalate}, {@code bind}, {@code impersonate}). Each line names plugin, rule and fix; empty when all is well. An
     * embedder grants such rules only to plugins that it trusts with the cluster.
     */
    public static List<String> tooWide(PluginDescriptor plugin) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < plugin.rbacRules().size(); i++) {
            PolicyRule rule = plugin.rbacRules().get(i);
            String where = "plugin " + plugin.name() + ": PluginDescriptor.rbacRules[" + i + "]";
            wildcard(where, "apiGroups", rule.getApiGroups(), found);
            wildcard(where, "resources", rule.getResources(), found);
            wildcard(where, "verbs", rule.getVerbs(), found);
            wildcard(where, "nonResourceURLs", rule.getNonResourceURLs(), found);
            rule.getVerbs().stream()
                    .filter(ESCALATING::contains)
                    .map(verb -> where + ".verbs has " + verb + " on " + rule.getResources()
                            + ", with which any other right can be had; grant the rights themselves that are needed")
                    .forEach(found::add);
        }
        return List.copyOf(found);
    }

    /** Parts of resources and of paths count, too: {@code pods/*}, {@code /metrics/*}. */
    private static void wildcard(String where, String part, List<String> words, List<String> found) {
        words.stream()
                .filter(word -> word.contains("*"))
                .map(word -> where + "." + part + " has \"" + word + "\"; name each one that is needed")
                .forEach(found::add);
    }

    /** To list and watch objects by their names. */
    private static PolicyRule named(String group, String resource, String... names) {
        return new PolicyRuleBuilder()
                .withApiGroups(group)
                .withResources(resource)
                .withResourceNames(names)
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
