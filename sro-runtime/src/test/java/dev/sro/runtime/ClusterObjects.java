package dev.sro.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.controlplane.RealCluster;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.SortedSet;
import java.util.TreeSet;

/** What is in a real cluster, to see what was left behind. Stateless. */
public final class ClusterObjects {

    private ClusterObjects() {}

    /**
     * All objects of all kinds of the cluster, as {@code plural.group namespace/name}; but for those of the test itself, events, and
     * leases of the cluster's own components.
     */
    public static SortedSet<String> of(RealCluster cluster) {
        KubernetesClient client = cluster.client();
        SortedSet<String> all = new TreeSet<>();
        list(client, "", "v1", all);
        client.getApiGroups()
                .getGroups()
                .forEach(group -> list(
                        client, group.getName(), group.getPreferredVersion().getVersion(), all));
        all.removeIf(line -> line.contains(" " + cluster.namespace() + "/")
                || line.matches("(events|events\\.events\\.k8s\\.io) .*")
                || line.matches("leases\\.coordination\\.k8s\\.io kube-.*"));
        assertThat(all).contains("namespaces /default", "services default/kubernetes");
        return all;
    }

    private static void list(KubernetesClient client, String group, String version, SortedSet<String> into) {
        String groupVersion = group.isEmpty() ? version : group + "/" + version;
        for (APIResource resource : client.getApiResources(groupVersion).getResources()) {
            if (resource.getName().contains("/") || !resource.getVerbs().contains("list")) {
                continue;
            }
            String plural = resource.getName() + (group.isEmpty() ? "" : "." + group);
            client.genericKubernetesResources(new ResourceDefinitionContext.Builder()
                            .withGroup(group)
                            .withVersion(version)
                            .withKind(resource.getKind())
                            .withPlural(resource.getName())
                            .withNamespaced(resource.getNamespaced())
                            .build())
                    .inAnyNamespace()
                    .list()
                    .getItems()
                    .forEach(object -> into.add(plural + " "
                            + (object.getMetadata().getNamespace() == null
                                    ? ""
                                    : object.getMetadata().getNamespace())
                            + "/" + object.getMetadata().getName()));
        }
    }
}
