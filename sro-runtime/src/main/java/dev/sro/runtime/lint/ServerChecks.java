package dev.sro.runtime.lint;

import dev.sro.core.manifest.Desired;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.server.ResourceRegistry;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Whether an API server would take the objects: they are given to one in this process, as a try. Confined to one thread. */
final class ServerChecks {

    private static final String DEFINITION = "apiextensions.k8s.io/v1/CustomResourceDefinition";

    private static final String REFUSED = "an API server refuses it: ";

    private final Subject subject;
    private final KubernetesClient client;
    private final Set<String> known = new TreeSet<>();
    private final List<Finding> found = new ArrayList<>();

    private ServerChecks(Subject subject, KubernetesClient client) {
        this.subject = subject;
        this.client = client;
    }

    static List<Finding> in(Subject subject) {
        List<Desired> all = subject.previewed().desired();
        if (all.isEmpty()) {
            return List.of();
        }
        boolean openShift = subject.facts().isOpenShift();
        try (EmbeddedCluster cluster =
                EmbeddedCluster.builder().openShift(openShift).build()) {
            ServerChecks checks = new ServerChecks(subject, cluster.client());
            ResourceRegistry registry = ResourceRegistry.kubernetes();
            (openShift ? registry.withOpenShift() : registry)
                    .all()
                    .forEach(type -> checks.known.add(type.apiVersion() + "/" + type.kind()));
            checks.namespaces(all);
            checks.definitions(all);
            cluster.settle();
            checks.objects(all);
            return checks.found;
        }
    }

    private void namespaces(List<Desired> all) {
        Set<String> names = new TreeSet<>();
        all.forEach(desired -> {
            ObjectRef ref = desired.object().ref();
            names.add(ref.kindKey().equals("v1/Namespace") ? ref.name() : ref.namespace());
        });
        names.removeAll(Set.of("", "default", "kube-system", "kube-public", "kube-node-lease"));
        for (String name : names) {
            refusal(() -> client.resource(new NamespaceBuilder()
                                    .withNewMetadata()
                                    .withName(name)
                                    .endMetadata()
                                    .build())
                            .create())
                    .ifPresent(
                            message -> found.add(Finding.error("Refused", "Namespace " + name, REFUSED + message, "")));
        }
    }

    /** Objects of kinds that the recipe itself defines can be tried, too. */
    private void definitions(List<Desired> all) {
        for (Desired desired : all) {
            KubeObject object = desired.object();
            if (!object.ref().kindKey().equals(DEFINITION)) {
                continue;
            }
            Optional<String> refused =
                    refusal(() -> client.resource(generic(object)).create());
            if (refused.isPresent()) {
                found.add(refused(desired, refused.get()));
                continue;
            }
            object.maps("spec", "versions")
                    .forEach(version -> known.add(ValueTrees.text(object.map("spec"), "group") + "/"
                            + version.get("name") + "/"
                            + ValueTrees.text(object.map("spec", "names"), "kind")));
        }
    }

    private GenericKubernetesResource generic(KubeObject object) {
        return subject.codec().fromTree(object.tree(), GenericKubernetesResource.class);
    }

    private void objects(List<Desired> all) {
        TreeMap<String, String> skipped = new TreeMap<>();
        for (Desired desired : all) {
            String kind = desired.object().ref().kindKey();
            if (kind.equals(DEFINITION) || kind.equals("v1/Namespace")) {
                continue;
            }
            if (known.contains(kind)) {
                tryOut(desired);
            } else {
                skipped.putIfAbsent(kind, subject.where(desired));
            }
        }
        skipped.forEach((kind, where) -> {
            if (subject.facts().servedKinds().contains(kind)) {
                found.add(Finding.note(
                        "NotTried",
                        where,
                        "objects of kind " + kind + " could not be tried: their schema is not known here",
                        ""));
            } else {
                found.add(Finding.warning(
                        "KindNotServed",
                        where,
                        "the cluster does not serve " + kind + ", so the state waits until it does",
                        "install what brings it; with --nodes or --kernel, name its CustomResourceDefinition with"
                                + " --observed, or say --platform openshift"));
            }
        });
    }

    private void tryOut(Desired desired) {
        GenericKubernetesResource object = generic(desired.object());
        Optional<String> strict = refusal(() -> client.resource(object)
                .fieldValidation(FieldValidateable.Validation.STRICT)
                .create());
        if (strict.isEmpty()) {
            return;
        }
        Optional<String> plain = refusal(() -> client.resource(object)
                .fieldValidation(FieldValidateable.Validation.IGNORE)
                .create());
        found.add(
                plain.isPresent()
                        ? refused(desired, plain.get())
                        : Finding.warning(
                                "UnknownField",
                                subject.where(desired),
                                "the API has no such field: " + strict.get(),
                                "correct its name or place, or take it away; until then it has no effect"));
    }

    private Finding refused(Desired desired, String message) {
        return Finding.error("Refused", subject.where(desired), REFUSED + message, "");
    }

    private static Optional<String> refusal(Runnable call) {
        try {
            call.run();
            return Optional.empty();
        } catch (KubernetesClientException e) {
            String message = e.getStatus() == null
                    ? String.valueOf(e.getMessage())
                    : String.valueOf(e.getStatus().getMessage());
            return Optional.of(message);
        }
    }
}
