package dev.sro.runtime.plan;

import dev.sro.api.ClusterFacts;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.client.router.ClusterCaches;
import dev.sro.core.client.router.UnwatchedSource;
import dev.sro.core.facts.NodeProjector;
import dev.sro.core.model.Codec;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import dev.sro.runtime.UnusableInputException;
import dev.sro.testkit.server.ResourceRegistry;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A cluster as it stands in files: fills the caches that the engine reads. Confined to one thread. */
final class FileCluster {

    private static final String BUILD = "build.openshift.io/v1/Build";

    private static final String DEFINITION = "apiextensions.k8s.io/v1/CustomResourceDefinition";

    private final Codec codec;
    private final ClusterCaches caches;
    private final List<String> warnings = new ArrayList<>();
    private final Map<String, String> uids = new HashMap<>();
    private ClusterFacts facts;
    private int nodes;

    FileCluster(Codec codec, boolean openShift, String kubernetesVersion) {
        this.codec = codec;
        this.facts = facts(openShift, kubernetesVersion);
        this.caches = new ClusterCaches(codec, new UnwatchedSource(() -> facts), name -> {});
    }

    private static ClusterFacts facts(boolean openShift, String kubernetesVersion) {
        ResourceRegistry registry = ResourceRegistry.kubernetes();
        ClusterFacts.Builder facts = ClusterFacts.builder().kubernetesVersion(kubernetesVersion);
        (openShift ? registry.withOpenShift() : registry).all().forEach(type -> {
            String key = type.apiVersion() + "/" + type.kind();
            facts.addServedKinds(key);
            if (!type.gvr().group().isEmpty()) {
                facts.addServedResources(type.gvr().plural() + "." + type.gvr().group());
            }
            if (!type.namespaced()) {
                facts.addClusterScopedKinds(key);
            }
        });
        return facts.build();
    }

    ClusterCaches caches() {
        return caches;
    }

    /** What looks wrong in the files and does not stop a plan. */
    List<String> warnings() {
        return warnings;
    }

    void warn(String warning) {
        warnings.add(warning);
    }

    int nodeCount() {
        return nodes;
    }

    void addNodes(List<Document> documents) {
        for (Document document : documents) {
            if (!document.kindKey().equals("v1/Node")) {
                throw new UnusableInputException(
                        document.where(),
                        "kind is " + document.kind() + "; only nodes belong here (kubectl get nodes -o yaml)");
            }
            Node node = document.as(Node.class, codec);
            nodes++;
            if (NodeProjector.project(node).isEmpty()) {
                warnings.add(document.where() + ": node " + document.name() + " is left out, because neither"
                        + " status.nodeInfo.kernelVersion nor label " + MetadataKeys.KERNEL_LABEL
                        + " says which kernel it runs");
            }
            caches.nodeSeen(node);
        }
    }

    /**
     * Objects as they are in the cluster; those that SRO does not look at are passed over. A CustomResourceDefinition says
     * that the cluster serves what it defines.
     */
    void addObserved(List<Document> documents) {
        for (Document document : documents) {
            switch (document.kindKey()) {
                case "v1/Pod" -> caches.podSeen(document.as(Pod.class, codec));
                case DEFINITION -> {
                    served(document.tree());
                    caches.objectSeen(document.as(GenericKubernetesResource.class, codec));
                }
                case BUILD -> caches.childSeen(document.as(GenericKubernetesResource.class, codec));
                case "v1/Namespace" -> {
                    caches.namespaceSeen(document.as(Namespace.class, codec));
                    caches.objectSeen(document.as(GenericKubernetesResource.class, codec));
                }
                default -> caches.objectSeen(document.as(GenericKubernetesResource.class, codec));
            }
            for (Map<String, Object> owner : ValueTrees.maps(document.tree(), "metadata", "ownerReferences")) {
                if ("SpecialResource".equals(owner.get("kind"))) {
                    uids.put(ValueTrees.text(owner, "name"), ValueTrees.text(owner, "uid"));
                }
            }
        }
    }

    /** What a CustomResourceDefinition defines is served. */
    private void served(Map<String, Object> definition) {
        String group = ValueTrees.text(definition, "spec", "group");
        String kind = ValueTrees.text(definition, "spec", "names", "kind");
        ClusterFacts.Builder more = ClusterFacts.builder();
        more.from(facts);
        more.addServedResources(ValueTrees.text(definition, "spec", "names", "plural") + "." + group);
        for (Map<String, Object> version : ValueTrees.maps(definition, "spec", "versions")) {
            String key = group + "/" + ValueTrees.text(version, "name") + "/" + kind;
            more.addServedKinds(key);
            if (!"Namespaced".equals(ValueTrees.text(definition, "spec", "scope"))) {
                more.addClusterScopedKinds(key);
            }
        }
        facts = more.build();
    }

    /** The special resources to plan for. */
    List<SpecialResource> addResources(List<Document> documents) {
        List<SpecialResource> resources = SpecialResources.read(documents, codec, warnings);
        for (SpecialResource resource : resources) {
            if (resource.getMetadata().getUid() == null) {
                String name = resource.getMetadata().getName();
                resource.getMetadata().setUid(uids.getOrDefault(name, SpecialResources.NO_UID));
            }
            caches.resourceSeen(resource);
        }
        return resources;
    }
}
