package dev.sro.runtime.slices;

import dev.sro.core.claim.ClaimObjects;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.DraServer;
import dev.sro.core.dra.DraTemplates;
import dev.sro.core.slicing.mig.MigResources;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who asks for GPUs and MIG devices by the resources of a device plugin, and what would take their place. Immutable.
 *
 * @param users by namespace, owner and resource
 * @param templates a ResourceClaimTemplate for each namespace, profile and count, as YAML
 */
record DevicePluginUsers(List<User> users, List<String> templates) {
    private static final String GPU = "nvidia.com/gpu";
    private static final List<String> OF_DAS = List.of("mig.das.com/");

    /**
     * Pods of one owner.
     *
     * @param owner as {@code ReplicaSet web-5d4}, or the pod
     * @param pods how many of them
     * @param served how many of these have their devices from a device plugin, and not from claims
     * @param template name of the template that would do; empty where none does
     */
    record User(String namespace, String owner, String resource, int count, int pods, int served, String template) {}

    DevicePluginUsers {
        users = List.copyOf(users);
        templates = List.copyOf(templates);
    }

    static DevicePluginUsers of(ClaimObjects objects) {
        Map<List<String>, User> users = new LinkedHashMap<>();
        Map<String, String> templates = new TreeMap<>();
        List<Pod> pods = new ArrayList<>(objects.pods());
        pods.sort(Comparator.comparing((Pod pod) -> pod.getMetadata().getNamespace())
                .thenComparing(pod -> pod.getMetadata().getName()));
        for (Pod pod : pods) {
            String phase = pod.getStatus() == null
                    ? ""
                    : String.valueOf(pod.getStatus().getPhase());
            if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
                resources(pod).forEach((resource, count) -> add(users, templates, pod, resource, count));
            }
        }
        return new DevicePluginUsers(List.copyOf(users.values()), List.copyOf(templates.values()));
    }

    private static void add(
            Map<List<String>, User> users, Map<String, String> templates, Pod pod, String resource, int count) {
        String namespace = pod.getMetadata().getNamespace();
        Optional<String> profile = profile(resource);
        String name = profile.map(one ->
                        one.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + (count == 1 ? "" : "-x" + count))
                .orElse("");
        profile.ifPresent(
                one -> templates.computeIfAbsent(namespace + "/" + name, key -> template(namespace, name, one, count)));
        boolean scheduled = pod.getSpec().getNodeName() != null
                && !pod.getSpec().getNodeName().isEmpty();
        boolean byClaim = pod.getStatus() != null && pod.getStatus().getExtendedResourceClaimStatus() != null;
        int served = scheduled && !byClaim ? 1 : 0;
        users.merge(
                List.of(namespace, owner(pod), resource, String.valueOf(count)),
                new User(namespace, owner(pod), resource, count, 1, served, name),
                (a, b) -> new User(namespace, a.owner(), resource, count, a.pods() + 1, a.served() + b.served(), name));
    }

    private static String template(String namespace, String name, String profile, int count) {
        DraOptions options = DraOptions.of(DraServer.of("1.36.3"));
        return new KubernetesSerialization()
                .asYaml(DraTemplates.create(
                        new DraTemplates.Wish(name, namespace, List.of(profile), count, false), options));
    }

    private static Optional<String> profile(String resource) {
        for (String prefix : OF_DAS) {
            if (resource.startsWith(prefix)) {
                return Optional.of(resource.substring(prefix.length()).replace("-plus-", "+"));
            }
        }
        return MigResources.profile(resource);
    }

    private static String owner(Pod pod) {
        return pod.getMetadata().getOwnerReferences().stream()
                .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                .map((OwnerReference owner) -> owner.getKind() + " " + owner.getName())
                .findFirst()
                .orElse("Pod " + pod.getMetadata().getName());
    }

    private static Map<String, Integer> resources(Pod pod) {
        Map<String, Integer> counts = new TreeMap<>();
        for (Container container : pod.getSpec().getContainers()) {
            if (container.getResources() != null && container.getResources().getLimits() != null) {
                container.getResources().getLimits().forEach((name, amount) -> {
                    int count = amount.getNumericalAmount().intValue();
                    if (count > 0 && (name.equals(GPU) || profile(name).isPresent())) {
                        counts.merge(name, count, Integer::sum);
                    }
                });
            }
        }
        return counts;
    }

    String text() {
        if (users.isEmpty()) {
            return "no pod asks for GPUs or MIG devices by limits\n";
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("NAMESPACE", "OWNER", "RESOURCE", "COUNT", "PODS", "FROM DEVICE PLUGIN", "TEMPLATE"));
        for (User user : users) {
            rows.add(List.of(
                    user.namespace(),
                    user.owner(),
                    user.resource(),
                    String.valueOf(user.count()),
                    String.valueOf(user.pods()),
                    String.valueOf(user.served()),
                    user.template().isEmpty() ? "-" : user.template()));
        }
        StringBuilder text = new StringBuilder(Output.table(rows));
        if (!templates.isEmpty()) {
            text.append(
                    "\nFrom Kubernetes 1.36 on pods may go on as they are: the class of the profile has the name of the resource."
                            + " With a claim the scheduler also chooses places that spoil little:\n\n");
        }
        templates.forEach(text::append);
        return text.toString();
    }

    Map<String, Object> tree() {
        TreeSet<String> namespaces = new TreeSet<>();
        users.forEach(user -> namespaces.add(user.namespace()));
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("namespaces", List.copyOf(namespaces));
        tree.put(
                "users",
                users.stream()
                        .map(user -> Output.object(
                                "namespace",
                                user.namespace(),
                                "owner",
                                user.owner(),
                                "resource",
                                user.resource(),
                                "count",
                                user.count(),
                                "pods",
                                user.pods(),
                                "fromDevicePlugin",
                                user.served(),
                                "template",
                                user.template()))
                        .toList());
        tree.put("templates", templates);
        return tree;
    }
}
