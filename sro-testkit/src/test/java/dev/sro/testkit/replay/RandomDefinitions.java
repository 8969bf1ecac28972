package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Random;

/** CustomResourceDefinitions at random, most of them valid. Draws from one source. */
final class RandomDefinitions {
    private final Random random;
    private final String group;
    private final RandomSchemas schemas;

    RandomDefinitions(Random random, String group) {
        this.random = random;
        this.group = group;
        // A schema has some twenty places.
        this.schemas = new RandomSchemas(random, random.nextInt(3) == 0 ? 6 : 0);
    }

    private boolean once(int of) {
        return random.nextInt(of) == 0;
    }

    private <T> T pick(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** A definition of widgets in the group. */
    ObjectNode next() {
        ObjectNode definition = JsonNodeFactory.instance.objectNode();
        definition.put("apiVersion", "apiextensions.k8s.io/v1").put("kind", "CustomResourceDefinition");
        definition.putObject("metadata").put("name", "widgets." + group);
        ObjectNode spec = definition.putObject("spec").put("group", group);
        spec.put("scope", "Namespaced");
        ObjectNode names = spec.putObject("names").put("plural", "widgets").put("kind", "Widget");
        if (once(2)) {
            names.put("singular", "widget").put("listKind", "WidgetList");
        }
        if (once(4)) {
            names.putArray("shortNames").add("wg");
            names.putArray("categories").add("all");
        }
        ArrayNode versions = spec.putArray("versions");
        version(versions.addObject().put("name", "v1").put("served", true).put("storage", true));
        if (once(4)) {
            version(versions.addObject()
                    .put("name", "v1beta1")
                    .put("served", !once(4))
                    .put("storage", false));
        }
        if (once(12)) {
            spoil(spec);
        }
        return definition;
    }

    private void version(ObjectNode version) {
        version.putObject("schema").set("openAPIV3Schema", schemas.root());
        if (once(2)) {
            ObjectNode subresources = version.putObject("subresources");
            if (!once(4)) {
                subresources.putObject("status");
            }
            if (once(3)) {
                ObjectNode scale = subresources.putObject("scale");
                scale.put("specReplicasPath", ".spec." + pick(List.of("a", "b")));
                scale.put("statusReplicasPath", once(8) ? ".spec.a" : ".status.a");
                if (once(3)) {
                    scale.put("labelSelectorPath", ".status.b");
                }
            }
        }
        if (once(4)) {
            ArrayNode columns = version.putArray("additionalPrinterColumns");
            columns.addObject()
                    .put("name", "A")
                    .put("type", pick(List.of("string", "integer", "boolean", "date", "number")))
                    .put(
                            "jsonPath",
                            pick(List.of(
                                    ".spec.a", ".spec.b", ".spec.c[0]", ".metadata.creationTimestamp", ".spec.d.a")));
            if (once(3)) {
                columns.addObject()
                        .put("name", "B")
                        .put("type", once(6) ? "bogus" : "string")
                        .put("jsonPath", ".spec.b")
                        .put("priority", 1);
            }
        }
        if (once(6)) {
            version.putArray("selectableFields")
                    .addObject()
                    .put("jsonPath", pick(List.of(".spec.a", ".spec.b", ".spec.c", "spec.a")));
        }
        if (once(10)) {
            version.put("deprecated", true);
            if (once(2)) {
                version.put("deprecationWarning", "this is old");
            }
        }
    }

    private void spoil(ObjectNode spec) {
        ObjectNode names = (ObjectNode) spec.path("names");
        ArrayNode versions = (ArrayNode) spec.path("versions");
        ObjectNode version = (ObjectNode) versions.get(0);
        switch (random.nextInt(12)) {
            case 0 -> names.put("kind", "widget");
            case 1 -> names.put("plural", "others");
            case 2 -> names.put("singular", "Bad_Name");
            case 3 -> spec.put("scope", "Everywhere");
            case 4 -> version.put("storage", false);
            case 5 -> version.put("name", "Bad.Version");
            case 6 -> version.remove("schema");
            case 7 -> spec.put("preserveUnknownFields", true);
            case 8 -> spec.putObject("conversion").put("strategy", pick(List.of("None", "Webhook", "Bogus")));
            case 9 -> versions.add(version.deepCopy());
            case 10 -> spec.remove("scope");
            default -> spec.put("group", "bad_group");
        }
    }

    /** A custom resource for one of the definition's versions. */
    ObjectNode object(ObjectNode definition, String name) {
        ArrayNode versions = (ArrayNode) definition.path("spec").path("versions");
        ObjectNode version = (ObjectNode) versions.get(random.nextInt(versions.size()));
        RandomSchemas values = new RandomSchemas(random, once(2) ? 0 : 4);
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("apiVersion", group + "/" + version.path("name").asText()).put("kind", "Widget");
        object.putObject("metadata").put("name", name);
        version.path("schema")
                .path("openAPIV3Schema")
                .path("properties")
                .properties()
                .forEach(field -> {
                    if (!field.getKey().equals("metadata") && !once(8)) {
                        object.set(field.getKey(), values.value(field.getValue()));
                    }
                });
        return object;
    }
}
