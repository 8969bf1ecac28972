package dev.sro.testkit.contract;

import dev.sro.api.Checks;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.operation.Monitoring;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Rules for the objects of a recipe. Collects what breaks them. Confined to one thread. */
final class ManifestRules {

    private static final Set<String> RBAC_ROLES = Set.of("Role", "ClusterRole");

    private static final List<String> CONTAINERS = List.of("containers", "initContainers");

    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final PluginDescriptor plugin;
    private final List<String> broken = new ArrayList<>();
    private final Set<String> accounts = new HashSet<>();
    private final List<KubeObject> objects = new ArrayList<>();

    private ManifestRules(List<DesiredState> states, PluginDescriptor plugin) {
        this.plugin = plugin;
        for (DesiredState state : states) {
            state.problems().forEach((pool, problem) -> broken.add(problem.code() + ": " + problem.message()));
            state.shared().stream().map(Desired::object).forEach(objects::add);
            state.byPool()
                    .values()
                    .forEach(own -> own.stream().map(Desired::object).forEach(objects::add));
        }
        objects.stream()
                .filter(object -> object.ref().kind().equals("ServiceAccount"))
                .forEach(object -> accounts.add(object.ref().name()));
    }

    /**
     * The faults of the objects, each with its name; empty when all is well.
     *
     * @param plugin says what it needs
     * @param monitoring says which Service has the metrics
     * @param resources the {@code plural.group} of an object, if its kind is served
     */
    static List<String> brokenBy(
            List<DesiredState> states,
            PluginDescriptor plugin,
            Optional<Monitoring> monitoring,
            Function<ObjectRef, Optional<String>> resources) {
        ManifestRules rules = new ManifestRules(states, plugin);
        rules.objects.forEach(rules::check);
        monitoring.ifPresent(rules::exporter);
        rules.objects.stream()
                .flatMap(object -> resources.apply(object.ref()).stream())
                .filter(resource -> !plugin.operandResources().contains(resource))
                .distinct()
                .sorted()
                .forEach(resource -> rules.broken.add(
                        "PluginDescriptor.operandResources lacks \"" + resource + "\", of which there are manifests"));
        return rules.broken;
    }

    /** The Service of the exporter is there, with the port. */
    private void exporter(Monitoring monitoring) {
        monitoring.service().ifPresent(name -> {
            Optional<KubeObject> service = objects.stream()
                    .filter(object -> object.ref().kind().equals("Service")
                            && object.ref().name().equals(name))
                    .findFirst();
            if (service.isEmpty()) {
                broken.add("Monitoring.service: there is no Service \"" + name + "\" in any state");
            } else if (service.get().maps("spec", "ports").stream()
                    .noneMatch(port -> monitoring.port().equals(port.get("name")))) {
                broken.add("Monitoring.port: Service " + name + " has no port with the name \"" + monitoring.port()
                        + "\"");
            }
        });
    }

    private void check(KubeObject object) {
        if (RBAC_ROLES.contains(object.ref().kind())) {
            role(object);
        }
        if (object.ref().kind().equals("ClusterRoleBinding")
                && ValueTrees.text(object.tree(), "roleRef", "name").equals("cluster-admin")) {
            broken.add(object.ref() + ": binds cluster-admin; bind a role with the verbs that are needed");
        }
        Map<String, Object> pod = podSpec(object);
        if (!pod.isEmpty()) {
            pod(object, pod);
        }
    }

    private void role(KubeObject object) {
        for (Map<String, Object> rule : object.maps("rules")) {
            for (String part : List.of("apiGroups", "resources", "verbs")) {
                if (rule.get(part) instanceof List<?> words && words.contains("*")) {
                    broken.add(object.ref() + ": rules with * in " + part + "; name what is needed");
                }
            }
        }
        for (Map<String, Object> rule : object.maps("rules")) {
            PolicyRule granted = serialization.convertValue(rule, PolicyRule.class);
            if (plugin.rbacRules().stream().noneMatch(held -> covers(held, granted))) {
                broken.add(object.ref() + ": grants " + text(granted)
                        + ", which is in no rule of PluginDescriptor.rbacRules; nobody may grant what they do"
                        + " not have");
            }
        }
        if (object.ref().kind().equals("ClusterRole")
                && object.maps("rules").stream()
                        .anyMatch(rule ->
                                rule.get("resources") instanceof List<?> resources && resources.contains("secrets"))) {
            broken.add(object.ref() + ": reads secrets of every namespace; use a Role");
        }
    }

    private static boolean covers(PolicyRule held, PolicyRule granted) {
        return held.getApiGroups().containsAll(granted.getApiGroups())
                && held.getResources().containsAll(granted.getResources())
                && held.getVerbs().containsAll(granted.getVerbs())
                && held.getNonResourceURLs().containsAll(granted.getNonResourceURLs())
                && (held.getResourceNames().isEmpty()
                        || (!granted.getResourceNames().isEmpty()
                                && held.getResourceNames().containsAll(granted.getResourceNames())));
    }

    private static String text(PolicyRule rule) {
        return rule.getVerbs() + " on " + rule.getResources() + " in " + rule.getApiGroups();
    }

    private void pod(KubeObject object, Map<String, Object> pod) {
        String account = ValueTrees.text(pod, "serviceAccountName");
        if (!account.isEmpty() && !accounts.contains(account)) {
            broken.add(object.ref() + ": serviceAccountName \"" + account + "\" is in no state");
        }
        for (String list : CONTAINERS) {
            for (Map<String, Object> container : ValueTrees.maps(pod, list)) {
                related(object, ValueTrees.text(container, "image"));
                try {
                    Checks.image(
                            object.ref() + " container " + container.get("name"), ValueTrees.text(container, "image"));
                } catch (IllegalArgumentException e) {
                    broken.add(String.valueOf(e.getMessage()));
                }
            }
        }
    }

    /** A list of images to mirror that is not complete is worse than none. What there is one of for each kernel cannot be listed. */
    private void related(KubeObject object, String image) {
        boolean listed =
                plugin.relatedImages().isEmpty() || plugin.relatedImages().contains(image);
        if (!listed && object.annotation(MetadataKeys.POOL).isEmpty()) {
            broken.add("PluginDescriptor.relatedImages lacks \"" + image + "\" of " + object.ref());
        }
    }

    private static Map<String, Object> podSpec(KubeObject object) {
        return switch (object.ref().kind()) {
            case "Pod" -> object.map("spec");
            case "CronJob" -> object.map("spec", "jobTemplate", "spec", "template", "spec");
            case "DaemonSet", "Deployment", "StatefulSet", "ReplicaSet", "Job" ->
                object.map("spec", "template", "spec");
            default -> Map.of();
        };
    }
}
