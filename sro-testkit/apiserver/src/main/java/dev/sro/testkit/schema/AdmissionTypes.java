package dev.sro.testkit.schema;

import dev.sro.core.cel.CelAuthorizer;
import dev.sro.core.cel.CelType;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the expressions of admission may name, and of which types that is. Source: the declarations of kube-apiserver 1.36 for expressions of
 * admission. One use: variables are added in the order in which a policy has them.
 */
final class AdmissionTypes {
    private static final CelType TIMESTAMP = CelType.simple(CelType.Kind.TIMESTAMP);
    private static final CelType TEXTS = CelType.list(CelType.STRING);
    private static final CelType MAP = CelType.map(CelType.STRING);
    private static final CelType KIND = texts("GroupVersionKind", "group", "version", "kind");
    private static final CelType RESOURCE = texts("GroupVersionResource", "group", "version", "resource");
    private static final CelType USER = object(
            "UserInfo",
            Map.of("username", CelType.STRING, "uid", CelType.STRING, "groups", TEXTS, "extra", CelType.map(TEXTS)));
    private static final CelType REQUEST = request();
    private static final CelType NAMESPACE = namespace();

    private final Map<String, CelType> names = new HashMap<>();
    private final Map<String, CelType> variables = new LinkedHashMap<>();

    private AdmissionTypes() {}

    /** Of a policy. */
    static AdmissionTypes of(boolean params, boolean authorizer, boolean composed) {
        AdmissionTypes types = new AdmissionTypes();
        types.names.put("object", CelType.DYN);
        types.names.put("oldObject", CelType.DYN);
        types.names.put("request", REQUEST);
        types.names.put("namespaceObject", NAMESPACE);
        if (params) {
            types.names.put("params", CelType.DYN);
        }
        if (authorizer) {
            types.names.put("authorizer", CelAuthorizer.AUTHORIZER);
            types.names.put("authorizer.requestResource", CelAuthorizer.RESOURCE_CHECK);
        }
        if (composed) {
            types.names.put("variables", CelType.object("kubernetes.variables", types.variables::get));
        }
        return types;
    }

    /** The same without what asks for rights. */
    AdmissionTypes withoutAuthorizer() {
        AdmissionTypes types = new AdmissionTypes();
        types.names.putAll(names);
        types.names.keySet().removeIf(name -> name.startsWith("authorizer"));
        return types;
    }

    /** Makes the variable known to all expressions after it; those whose parts are not known are of any type. */
    void add(String variable, CelType type) {
        boolean plain = type.kind() != CelType.Kind.OBJECT && type.kind() != CelType.Kind.OPTIONAL;
        variables.put(variable, plain ? type : CelType.DYN);
    }

    Map<String, CelType> names() {
        return names;
    }

    private static CelType object(String name, Map<String, CelType> fields) {
        return CelType.object("kubernetes." + name, fields::get);
    }

    private static CelType texts(String name, String... fields) {
        Map<String, CelType> all = new HashMap<>();
        for (String field : fields) {
            all.put(field, CelType.STRING);
        }
        return object(name, all);
    }

    private static CelType request() {
        Map<String, CelType> fields = new HashMap<>();
        fields.put("kind", KIND);
        fields.put("resource", RESOURCE);
        fields.put("requestKind", KIND);
        fields.put("requestResource", RESOURCE);
        for (String text : new String[] {"subResource", "requestSubResource", "name", "namespace", "operation"}) {
            fields.put(text, CelType.STRING);
        }
        fields.put("userInfo", USER);
        fields.put("dryRun", CelType.BOOL);
        fields.put("options", CelType.DYN);
        return object("AdmissionRequest", fields);
    }

    private static CelType namespace() {
        Map<String, CelType> metadata = new HashMap<>();
        for (String text : new String[] {"name", "generateName", "namespace", "UID", "resourceVersion"}) {
            metadata.put(text, CelType.STRING);
        }
        metadata.put("labels", MAP);
        metadata.put("annotations", MAP);
        metadata.put("creationTimestamp", TIMESTAMP);
        metadata.put("deletionTimestamp", TIMESTAMP);
        metadata.put("deletionGracePeriodSeconds", CelType.INT);
        metadata.put("generation", CelType.INT);
        metadata.put("finalizers", TEXTS);
        Map<String, CelType> condition = new HashMap<>(Map.of(
                "status", CelType.STRING, "type", CelType.STRING, "message", CelType.STRING, "reason", CelType.STRING));
        condition.put("lastTransitionTime", TIMESTAMP);
        return object(
                "Namespace",
                Map.of(
                        "metadata", object("NamespaceMetadata", metadata),
                        "spec", object("NamespaceSpec", Map.of("finalizers", TEXTS)),
                        "status",
                                object(
                                        "NamespaceStatus",
                                        Map.of(
                                                "phase",
                                                CelType.STRING,
                                                "conditions",
                                                CelType.list(object("NamespaceCondition", condition))))));
    }
}
