package dev.sro.runtime.charts;

import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What of a recipe there still is, of all kinds that the API server serves. */
final class Leftovers {
    private static final String OWNED = "specialresource.openshift.io/owned";

    private final KubernetesClient client;

    Leftovers(KubernetesClient client) {
        this.client = client;
    }

    /** "KIND NAME" or "KIND NAMESPACE/NAME" of each object with the label of what SRO made, in the order of their kinds. */
    List<String> named() {
        Set<String> named = new LinkedHashSet<>();
        for (String version : versions()) {
            APIResourceList served = client.getApiResources(version);
            if (served == null) {
                continue;
            }
            for (APIResource kind : served.getResources()) {
                if (!kind.getName().contains("/") && kind.getVerbs().contains("list")) {
                    objects(version, kind).forEach(found -> named.add(kind.getKind() + " " + name(found)));
                }
            }
        }
        return List.copyOf(named);
    }

    private List<String> versions() {
        List<String> versions = new ArrayList<>(List.of("v1"));
        client.getApiGroups().getGroups().stream()
                .flatMap(group -> group.getVersions().stream())
                .forEach(version -> versions.add(version.getGroupVersion()));
        return versions;
    }

    private List<GenericKubernetesResource> objects(String version, APIResource kind) {
        String[] words = version.split("/", 2);
        return client.genericKubernetesResources(new ResourceDefinitionContext.Builder()
                        .withGroup(words.length == 2 ? words[0] : "")
                        .withVersion(words[words.length - 1])
                        .withKind(kind.getKind())
                        .withPlural(kind.getName())
                        .withNamespaced(Boolean.TRUE.equals(kind.getNamespaced()))
                        .build())
                .inAnyNamespace()
                .withLabel(OWNED)
                .list()
                .getItems();
    }

    /** Its name, after its namespace where it has one. */
    static String name(GenericKubernetesResource found) {
        ObjectMeta metadata = found.getMetadata();
        return metadata.getNamespace() == null
                ? metadata.getName()
                : metadata.getNamespace() + "/" + metadata.getName();
    }
}
