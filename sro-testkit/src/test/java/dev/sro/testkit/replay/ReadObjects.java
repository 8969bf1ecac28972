package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The objects that are read and watched: of ten kinds, two of them custom, in two namespaces, with labels drawn at random. */
final class ReadObjects {
    /** Where they are. */
    static final List<String> NAMESPACES = List.of("reads-a", "reads-b");

    private final Random random;

    ReadObjects(Random random) {
        this.random = random;
    }

    private <T> T pick(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private boolean one(int of) {
        return random.nextInt(of) == 0;
    }

    /** The requests that make them, in this order. */
    List<ObjectNode> requests() {
        List<ObjectNode> all = new ArrayList<>();
        all.add(definition("things", "Thing", "Namespaced"));
        all.add(definition("wholes", "Whole", "Cluster"));
        for (String namespace : NAMESPACES) {
            all.add(create("/api/v1/namespaces", "v1", "Namespace", namespace));
        }
        for (String namespace : NAMESPACES) {
            String root = "/api/v1/namespaces/" + namespace + "/";
            all.add(create(root + "serviceaccounts", "v1", "ServiceAccount", "default"));
            for (int i = 0; i < 5; i++) {
                if (one(4)) {
                    continue;
                }
                populate(all, namespace, root, "n" + i);
            }
        }
        for (int i = 0; i < 4; i++) {
            ObjectNode node = create("/api/v1/nodes", "v1", "Node", "n" + i);
            ((ObjectNode) node.path("body")).putObject("spec").put("unschedulable", one(2));
            all.add(labelled(node));
            ObjectNode whole = create("/apis/reads.example.com/v1/wholes", "reads.example.com/v1", "Whole", "n" + i);
            ((ObjectNode) whole.path("body")).putObject("spec").put("size", random.nextInt(3));
            all.add(labelled(whole));
        }
        return all;
    }

    private void populate(List<ObjectNode> all, String namespace, String root, String name) {
        ObjectNode config = create(root + "configmaps", "v1", "ConfigMap", name);
        ((ObjectNode) config.path("body")).putObject("data").put("a", "1");
        all.add(labelled(config));
        ObjectNode secret = create(root + "secrets", "v1", "Secret", name);
        ((ObjectNode) secret.path("body")).put("type", pick(List.of("Opaque", "example.com/x")));
        all.add(labelled(secret));
        ObjectNode pod = create(root + "pods", "v1", "Pod", name);
        ObjectNode spec = ((ObjectNode) pod.path("body")).putObject("spec");
        spec.put("automountServiceAccountToken", false)
                .put("serviceAccountName", "default")
                .put("restartPolicy", pick(List.of("Always", "Never", "OnFailure")))
                .put("hostNetwork", one(4));
        if (one(2)) {
            spec.put("nodeName", "n" + random.nextInt(4));
        }
        spec.putArray("containers").addObject().put("name", "c").put("image", "registry.example.com/i:1");
        all.add(labelled(pod));
        ObjectNode event = create(root + "events", "v1", "Event", name);
        ObjectNode body = (ObjectNode) event.path("body");
        body.put("reason", pick(List.of("Why", "Other"))).put("type", pick(List.of("Normal", "Warning")));
        body.putObject("source").put("component", "test");
        body.putObject("involvedObject")
                .put("kind", "Pod")
                .put("namespace", namespace)
                .put("name", name);
        all.add(labelled(event));
        ObjectNode lease = create(
                "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases",
                "coordination.k8s.io/v1",
                "Lease",
                name);
        ((ObjectNode) lease.path("body")).putObject("spec").put("holderIdentity", name);
        all.add(labelled(lease));
        ObjectNode thing = create(
                "/apis/reads.example.com/v1/namespaces/" + namespace + "/things",
                "reads.example.com/v1",
                "Thing",
                name);
        ((ObjectNode) thing.path("body"))
                .putObject("spec")
                .put("size", random.nextInt(3))
                .put("kind", pick(List.of("a", "b")));
        all.add(labelled(thing));
    }

    private ObjectNode labelled(ObjectNode create) {
        if (!one(3)) {
            ObjectNode labels = ((ObjectNode) create.path("body").path("metadata")).putObject("labels");
            labels.put("x", String.valueOf(random.nextInt(3)));
            if (one(2)) {
                labels.put("y", "");
            }
        }
        return create;
    }

    private static ObjectNode create(String collection, String version, String kind, String name) {
        ObjectNode request =
                JsonNodeFactory.instance.objectNode().put("method", "POST").put("path", collection);
        ObjectNode body = request.putObject("body").put("apiVersion", version).put("kind", kind);
        body.putObject("metadata").put("name", name);
        return request;
    }

    private static ObjectNode definition(String plural, String kind, String scope) {
        ObjectNode request = create(
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                "apiextensions.k8s.io/v1",
                "CustomResourceDefinition",
                plural + ".reads.example.com");
        ObjectNode spec = ((ObjectNode) request.path("body"))
                .putObject("spec")
                .put("group", "reads.example.com")
                .put("scope", scope);
        ObjectNode names = spec.putObject("names");
        names.put("plural", plural)
                .put("singular", plural.substring(0, plural.length() - 1))
                .put("kind", kind);
        names.putArray("shortNames").add(plural.substring(0, 2));
        names.putArray("categories").add("all");
        ArrayNode versions = spec.putArray("versions");
        for (String name : List.of("v1", "v2")) {
            ObjectNode version =
                    versions.addObject().put("name", name).put("served", true).put("storage", name.equals("v1"));
            if (name.equals("v2")) {
                version.put("deprecated", true);
            }
            ObjectNode schema =
                    version.putObject("schema").putObject("openAPIV3Schema").put("type", "object");
            ObjectNode properties = schema.putObject("properties")
                    .putObject("spec")
                    .put("type", "object")
                    .putObject("properties");
            properties.putObject("size").put("type", "integer");
            properties.putObject("kind").put("type", "string");
            version.putArray("selectableFields").addObject().put("jsonPath", ".spec.size");
            ArrayNode columns = version.putArray("additionalPrinterColumns");
            columns.addObject().put("name", "Size").put("type", "integer").put("jsonPath", ".spec.size");
            columns.addObject()
                    .put("name", "Kind")
                    .put("type", "string")
                    .put("jsonPath", ".spec.kind")
                    .put("priority", 1);
            version.putObject("subresources").putObject("status");
        }
        return request;
    }
}
