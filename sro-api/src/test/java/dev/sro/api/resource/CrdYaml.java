package dev.sro.api.resource;

import static java.util.Objects.requireNonNull;

import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDGenerator.AbstractCRDOutput;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Makes the CustomResourceDefinition from the classes: fabric8's generator does most of it, and what it cannot express (list map
 * keys, embedded resources, formats, printer columns) is put in here. Equal classes give equal text.
 */
final class CrdYaml {
    private static final String FOLDER = "META-INF/sro/crds/";

    static final String FILE = FOLDER + "specialresources.sro.openshift.io.yaml";

    /** All definitions by file, each made by its own rules. */
    static final Map<String, Supplier<Map<String, Object>>> DEFINITIONS = new TreeMap<>(Map.of(
            FILE,
            CrdYaml::definition,
            FOLDER + "preflightvalidations.sro.openshift.io.yaml",
            PreflightCrd::definition,
            FOLDER + "specialresourcemodules.sro.openshift.io.yaml",
            ModuleCrd::definition));

    private static final String HEAD = """
        # Made from the classes of dev.sro.api.resource; do not edit. To make it again:
        #   %s
        """;

    private static final String QUALIFIED_NAME =
            "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";

    /** A number, which is one in the schema already, or a percentage. */
    private static final String COUNT_OR_PERCENT = "^(100|[0-9]{1,2})%$";

    private CrdYaml() {}

    /** The text of the file. */
    static String text(String command) {
        return text(command, definition());
    }

    /** The text of the file of this definition. */
    static String text(String command, Map<String, Object> definition) {
        DumpSettings settings = DumpSettings.builder()
                .setSchema(new CoreSchema()) // quotes "True", which is a string in the enum of a condition's status
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setIndicatorIndent(0)
                .setWidth(120)
                .build();
        return HEAD.formatted(command) + new Dump(settings).dumpToString(sorted(definition));
    }

    /** The definition as maps and lists. */
    static Map<String, Object> definition() {
        return definition(
                SpecialResource.class,
                "A device that is to be put to work: its recipe, the nodes it is for, and how far it is.",
                root -> {
                    spec(root);
                    status(root);
                },
                List.of("Ready", "Progressing", "Degraded"));
    }

    /**
     * What all kinds have in common.
     *
     * @param rules puts in what no class can express
     * @param conditions types of conditions that are printed
     */
    static Map<String, Object> definition(
            Class<? extends HasMetadata> type,
            String description,
            Consumer<SchemaTree> rules,
            List<String> conditions) {
        Map<String, Object> crd = generated(type);
        Map<String, Object> version = versionOf(crd);
        SchemaTree root = schemaOf(crd);
        root.put("type", "object")
                .put("description", description)
                .property("apiVersion", described("string", "Group and version of this object."))
                .property("kind", described("string", "Kind of this object."))
                .property("metadata", new LinkedHashMap<>(Map.of("type", "object")));
        rules.accept(root);
        conditions(root);
        root.visit(CrdYaml::numbers);
        child(child(crd, "spec"), "names").put("listKind", type.getSimpleName() + "List");
        version.put("additionalPrinterColumns", columns(conditions));
        return crd;
    }

    /** The schema of the only version of a definition. */
    static SchemaTree schemaOf(Map<String, Object> crd) {
        return new SchemaTree(child(child(versionOf(crd), "schema"), "openAPIV3Schema"));
    }

    private static void spec(SchemaTree root) {
        root.at("spec").put("description", "What the user wants.");
        for (String set : List.of("spec.set", "spec.dependencies[].set")) {
            root.at(set).without("additionalProperties").put("x-kubernetes-embedded-resource", true);
        }
        root.at("spec.plugin.config").without("additionalProperties");
        for (String count : List.of("maxUnavailable", "haltOnFailures", "waves[].haltOnFailures")) {
            root.at("spec.upgradePolicy." + count).put("pattern", COUNT_OR_PERCENT);
        }
        root.at("spec.upgradePolicy.waves").listMap("name");
        root.at("spec.upgradePolicy.maintenanceWindows").put("x-kubernetes-list-type", "atomic");
        root.at("spec.upgradePolicy.maintenanceWindows[].days[]")
                .put("enum", List.of("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"));
    }

    private static void status(SchemaTree root) {
        root.at("status").put("description", "What the engine last found; written by the engine only.");
        root.at("status.managedKinds").put("x-kubernetes-list-type", "set");
        root.at("status.managedOutside").put("x-kubernetes-list-type", "set");
        root.at("status.pools").listMap("name");
        root.at("status.states").listMap("name");
        root.at("status.samples").put("x-kubernetes-list-type", "atomic");
        root.at("status.states[].since").put("format", "date-time");
        root.at("status.upgrade.stuck").put("x-kubernetes-list-type", "atomic");
        root.at("status.upgrade.stuck[].since").put("format", "date-time");
        root.at("status.upgrade.since").put("format", "date-time");
        root.at("status.samples[].since").put("format", "date-time");
        root.at("status.observedGeneration").put("format", "int64").put("minimum", 0);
    }

    /** The rules of metav1.Condition, which no class carries. */
    private static void conditions(SchemaTree root) {
        root.at("status.conditions").listMap("type");
        SchemaTree condition = root.at("status.conditions[]")
                .put("required", List.of("lastTransitionTime", "message", "reason", "status", "type"));
        condition
                .at("lastTransitionTime")
                .put("format", "date-time")
                .put("description", "When the status last changed.");
        condition.at("message").put("maxLength", 32768).put("description", "The same for people; may be empty.");
        condition
                .at("observedGeneration")
                .put("format", "int64")
                .put("minimum", 0)
                .put("description", "Generation of the special resource that the condition is about.");
        condition
                .at("reason")
                .put("minLength", 1)
                .put("maxLength", 1024)
                .put("pattern", "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$")
                .put("description", "Code of why the status is what it is, CamelCase.");
        condition
                .at("status")
                .put("enum", List.of("True", "False", "Unknown"))
                .put("description", "True, False or Unknown.");
        condition
                .at("type")
                .put("maxLength", 316)
                .put("pattern", QUALIFIED_NAME)
                .put("description", "What the condition is about.");
    }

    /** The generator writes 0.0 where it means 0, and leaves the width of integers open. */
    private static void numbers(String path, Map<String, Object> schema) {
        if ("integer".equals(schema.get("type"))) {
            schema.putIfAbsent("format", "int32");
            schema.computeIfPresent("minimum", (k, minimum) -> ((Number) minimum).intValue());
            schema.computeIfPresent("maximum", (k, maximum) -> ((Number) maximum).intValue());
        }
    }

    private static List<Map<String, Object>> columns(List<String> conditions) {
        List<Map<String, Object>> columns = new ArrayList<>();
        for (String type : conditions) {
            String path = ".status.conditions[?(@.type==\"" + type + "\")].status";
            columns.add(Map.of("name", type, "type", "string", "jsonPath", path));
        }
        columns.add(Map.of("name", "Age", "type", "date", "jsonPath", ".metadata.creationTimestamp"));
        return columns;
    }

    private static Map<String, Object> generated(Class<? extends HasMetadata> type) {
        Output output = new Output();
        new CRDGenerator()
                .customResourceClasses(type)
                .forCRDVersions("v1")
                .withOutput(output)
                .generate();
        return new KubernetesSerialization().unmarshal(output.text(), MapType.class);
    }

    private static Map<String, Object> described(String type, String description) {
        return new LinkedHashMap<>(Map.of("type", type, "description", description));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> child(Map<String, Object> parent, String name) {
        return (Map<String, Object>) requireNonNull(parent.get(name), name);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> versionOf(Map<String, Object> crd) {
        List<Object> versions = (List<Object>) requireNonNull(child(crd, "spec").get("versions"));
        return (Map<String, Object>) versions.get(0);
    }

    private static Object sorted(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> result = new TreeMap<>();
            map.forEach((key, child) -> result.put(key, sorted(child)));
            return result;
        }
        if (value instanceof List<?> list) {
            List<Object> result = new ArrayList<>();
            list.forEach(child -> result.add(sorted(child)));
            return result;
        }
        return value;
    }

    /** A map with its generics, as a class that the serialization can be asked for. */
    private static final class MapType extends LinkedHashMap<String, Object> {}

    private static final class Output extends AbstractCRDOutput<ByteArrayOutputStream> {
        private @Nullable ByteArrayOutputStream stream;

        @Override
        protected ByteArrayOutputStream createStreamFor(String crdName) {
            stream = new ByteArrayOutputStream();
            return stream;
        }

        String text() {
            return requireNonNull(stream).toString(StandardCharsets.UTF_8);
        }
    }
}
