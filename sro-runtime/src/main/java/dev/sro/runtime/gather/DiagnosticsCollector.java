package dev.sro.runtime.gather;

import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.client.discovery.Kinds;
import dev.sro.core.model.MetadataKeys;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.ContainerResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads what there is to know about SRO in a cluster. Goes on where something cannot be read. Confined to one thread. */
final class DiagnosticsCollector {

    /** The end of a log is where the trouble is. */
    private static final int LOG_LINES = 2_000;

    private static final String OPERATOR = "special-resource-operator";

    private final KubernetesClient client;
    private final DiagnosticsFolder out;
    private final Consumer<String> reading;
    private final Kinds kinds;

    /**
     * @param reading is told what is read next
     */
    DiagnosticsCollector(KubernetesClient client, DiagnosticsFolder out, Consumer<String> reading) {
        this.client = client;
        this.out = out;
        this.reading = reading;
        this.kinds = Kinds.discover(client);
    }

    void everything(String ownNamespace) {
        List<SpecialResource> resources = list(
                "special resources",
                () -> client.resources(SpecialResource.class).list().getItems());
        resources.forEach(resource -> out.object("specialresources/" + name(resource) + ".yaml", resource));
        read(
                        "the definition",
                        () -> client.apiextensions()
                                .v1()
                                .customResourceDefinitions()
                                .withName("specialresources." + SpecialResource.GROUP)
                                .get())
                .forEach(definition -> out.object("definitions/" + name(definition) + ".yaml", definition));
        list("nodes", () -> client.nodes().list().getItems())
                .forEach(node -> out.object("nodes/" + name(node) + ".yaml", withoutImages(node)));
        SortedSet<String> namespaces = new TreeSet<>();
        namespaces.add(ownNamespace);
        operands(resources, namespaces);
        list(
                        "operand pods",
                        () -> client.pods()
                                .inAnyNamespace()
                                .withLabel(MetadataKeys.OWNED, "true")
                                .list()
                                .getItems())
                .forEach(this::pod);
        list(
                        "pods of the operator",
                        () -> client.pods()
                                .inNamespace(ownNamespace)
                                .withLabel("app.kubernetes.io/name", OPERATOR)
                                .list()
                                .getItems())
                .forEach(this::pod);
        list("leases", () -> client.leases().inNamespace(ownNamespace).list().getItems())
                .forEach(lease -> out.object("leases/" + name(lease) + ".yaml", lease));
        events(namespaces);
    }

    /** A node has dozens of images, and they say nothing about a driver. */
    private static Node withoutImages(Node node) {
        if (node.getStatus() != null) {
            node.getStatus().setImages(null);
        }
        return node;
    }

    private void operands(List<SpecialResource> resources, Set<String> namespaces) {
        SortedSet<String> kindKeys = new TreeSet<>();
        for (SpecialResource resource : resources) {
            SpecialResourceStatus status = resource.getStatus();
            if (status != null) {
                kindKeys.addAll(status.getManagedKinds());
            }
        }
        for (String key : kindKeys) {
            ResourceDefinitionContext kind = kinds.context(key).orElse(null);
            if (kind == null) {
                out.missing(key, "the cluster does not serve it any more");
                continue;
            }
            for (GenericKubernetesResource object : list(
                    key,
                    () -> client.genericKubernetesResources(kind)
                            .inAnyNamespace()
                            .withLabel(MetadataKeys.OWNED, "true")
                            .list()
                            .getItems())) {
                String namespace = object.getMetadata().getNamespace();
                if (namespace != null) {
                    namespaces.add(namespace);
                }
                out.object(
                        "operands/" + (namespace == null ? "" : namespace + "/") + object.getKind() + "-" + name(object)
                                + ".yaml",
                        object);
            }
        }
    }

    private void pod(Pod pod) {
        String path = pod.getMetadata().getNamespace() + "/" + name(pod);
        out.object("pods/" + path + ".yaml", pod);
        if (pod.getStatus() == null) {
            return;
        }
        Stream.concat(
                        pod.getStatus().getInitContainerStatuses().stream(),
                        pod.getStatus().getContainerStatuses().stream())
                .forEach(container -> logs(pod, container, path));
    }

    private void logs(Pod pod, ContainerStatus container, String path) {
        boolean ran = container.getState() == null || container.getState().getWaiting() == null;
        ContainerResource of = client.pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(name(pod))
                .inContainer(container.getName());
        String file = "logs/" + path + "/" + container.getName();
        if (ran) {
            read("log of " + path + " " + container.getName(), of.tailingLines(LOG_LINES)::getLog)
                    .forEach(log -> out.text(file + ".log", log));
        }
        if (container.getRestartCount() != null && container.getRestartCount() > 0) {
            read(
                            "log before the restart of " + path + " " + container.getName(),
                            of.terminated().tailingLines(LOG_LINES)::getLog)
                    .forEach(log -> out.text(
                            file + ".previous.log", ContainerLog.explained(log, container.getName() + ".log")));
        }
    }

    /** Those about special resources and nodes, and those of the namespaces that SRO has objects in. */
    private void events(Set<String> namespaces) {
        SortedSet<String> all = new TreeSet<>(namespaces);
        all.add("default");
        for (String namespace : all) {
            List<String> lines = EventLines.of(list(
                            "events in " + namespace,
                            () -> client.events()
                                    .v1()
                                    .events()
                                    .inNamespace(namespace)
                                    .list()
                                    .getItems())
                    .stream()
                    .filter(event -> !namespace.equals("default") || isOfTheCluster(event))
                    .toList());
            if (!lines.isEmpty()) {
                out.text("events/" + namespace + ".tsv", String.join("\n", lines) + "\n");
            }
        }
    }

    /** What is in no namespace has its events in this one, beside those of pods of others. */
    private static boolean isOfTheCluster(Event event) {
        return event.getRegarding() != null
                && (SpecialResource.KIND.equals(event.getRegarding().getKind())
                        || "Node".equals(event.getRegarding().getKind()));
    }

    private static String name(HasMetadata object) {
        return object.getMetadata().getName();
    }

    private <T> List<T> list(String what, Supplier<List<T>> request) {
        List<T> found = new ArrayList<>();
        read(what, request).forEach(found::addAll);
        return found;
    }

    /** One, or none if it could not be read. */
    private <T> List<T> read(String what, Supplier<@Nullable T> request) {
        reading.accept(what);
        try {
            T found = request.get();
            if (found == null) {
                out.missing(what, "there is none");
                return List.of();
            }
            return List.of(found);
        } catch (KubernetesClientException e) {
            out.missing(what, String.valueOf(e.getMessage()));
            return List.of();
        }
    }
}
