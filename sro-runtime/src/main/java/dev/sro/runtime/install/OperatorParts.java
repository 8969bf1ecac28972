package dev.sro.runtime.install;

import dev.sro.core.client.rights.Grant;
import dev.sro.core.model.TreeLiterals;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.runtime.CrdCommand;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What installs the operator, part by part, for forms of installation that put the parts together themselves: the very objects of the
 * kustomize base. They have no namespace, which whoever installs them chooses. Immutable.
 */
public final class OperatorParts {

    /** The name of all of them. */
    public static final String NAME = Grant.NAME;

    /** Of OpenShift, which makes certificates for Services that ask for it, and writes its CA where it is asked to. */
    private static final String SERVING_CERTIFICATE = "service.beta.openshift.io/serving-cert-secret-name";

    private static final String INJECT_CA = "service.beta.openshift.io/inject-cabundle=true";

    private final List<Grant> grants;
    private final Installation installation;
    private final boolean webhook;

    private OperatorParts(List<Grant> grants, Installation installation, boolean webhook) {
        this.grants = grants;
        this.installation = installation;
        this.webhook = webhook;
    }

    /**
     * Of one installation.
     *
     * @param image of the operator, with tag or digest
     * @param plugins that are in the image
     * @param asked what is granted whatever the plugins are; what answers admission webhooks is there to partition
     * @param webhook whether admission webhooks are answered, with a certificate of OpenShift's
     */
    public static OperatorParts of(String image, List<LoadedPlugin> plugins, Grant.Further asked, boolean webhook) {
        Grant.Further further = new Grant.Further(asked.builds(), asked.partitioning() || webhook);
        Installation.Values values = InstallFiles.defaults(NAME, image, "");
        if (webhook) {
            values = values.withWebhook(
                    "0.0.0.0:" + Installation.WEBHOOK_PORT,
                    INJECT_CA,
                    TreeLiterals.map(SERVING_CERTIFICATE, Installation.WEBHOOK));
        }
        return new OperatorParts(
                Grant.all(NAME, plugins, further), new Installation(values, NAME, plugins, further), webhook);
    }

    /** A rule as a tree. */
    public static Map<String, Object> rule(PolicyRule rule) {
        return RoleObjects.tree(rule);
    }

    /** The roles of an operator in this namespace, and what binds them to its service account. */
    public static List<Map<String, Object>> access(
            String namespace, List<LoadedPlugin> plugins, Grant.Further further) {
        return new Installation(InstallFiles.defaults(namespace, null, ""), namespace, plugins, further).access();
    }

    /** The operator's image where nobody says which. */
    public static String defaultImage(String version) {
        return String.valueOf(InstallFiles.defaults(NAME, null, version).image());
    }

    /** The Deployment. */
    public Map<String, Object> deployment() {
        return installation.deployment();
    }

    /** Rules that hold in the operator's own namespace. */
    public List<Map<String, Object>> namespaceRules() {
        return rules(this::isOwn);
    }

    /** Rules that hold elsewhere: in the whole cluster, or in the namespace where Kubernetes keeps events. */
    public List<Map<String, Object>> clusterRules() {
        return rules(grant -> !isOwn(grant));
    }

    private boolean isOwn(Grant grant) {
        return grant.namespace().equals(NAME);
    }

    private List<Map<String, Object>> rules(Predicate<Grant> which) {
        return grants.stream()
                .filter(which)
                .flatMap(grant -> grant.rules().stream())
                .map(RoleObjects::tree)
                .distinct()
                .toList();
    }

    /** What stands beside the Deployment, by the name of a file. */
    public Map<String, Map<String, Object>> objects() {
        Map<String, Map<String, Object>> objects = new LinkedHashMap<>();
        objects.put("service", withoutNamespace(installation.service()));
        if (webhook) {
            objects.put("webhook-service", withoutNamespace(installation.webhook()));
        }
        objects.put("recipes-clusterrole", RoleObjects.recipes());
        objects.put("poddisruptionbudget", withoutNamespace(installation.budget()));
        return objects;
    }

    /** What watches the operator, by the name of a file. */
    public Map<String, Map<String, Object>> monitoring() {
        Map<String, Map<String, Object>> objects = new LinkedHashMap<>();
        installation.monitoring().forEach((file, found) -> {
            List<Map<String, Object>> all = new ArrayList<>(found);
            objects.put(file.replace(".yaml", ""), withoutNamespace(all.get(0)));
        });
        return objects;
    }

    private static Map<String, Object> withoutNamespace(Map<String, Object> object) {
        Map<String, Object> copy = new LinkedHashMap<>(object);
        Map<String, Object> metadata = new LinkedHashMap<>();
        ValueTrees.map(object, "metadata").forEach((key, value) -> {
            if (!"namespace".equals(key)) {
                metadata.put(key, value);
            }
        });
        copy.put("metadata", metadata);
        return copy;
    }

    /** The texts of SRO's CustomResourceDefinitions, by their names. */
    public static Map<String, String> definitions() {
        Map<String, String> texts = new LinkedHashMap<>();
        for (String path : List.of(CrdCommand.RESOURCE, CrdCommand.PREFLIGHTS, CrdCommand.MODULES)) {
            String file = path.substring(path.lastIndexOf('/') + 1);
            texts.put(file.replace(".yaml", ""), InstallFiles.resource(path));
        }
        return texts;
    }
}
