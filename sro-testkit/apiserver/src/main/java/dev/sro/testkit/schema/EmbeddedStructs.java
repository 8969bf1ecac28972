package dev.sro.testkit.schema;

import dev.sro.testkit.schema.TypeSchema.Field;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Structs of the server whose fields are written as fields of another one: the decoder's errors name them on the way. Stateless. */
final class EmbeddedStructs {
    /** Of all fields but those listed: embedded struct, by the struct that has it. */
    private static final Map<String, Embedded> ALL_BUT = Map.of(
            "Volume", new Embedded("VolumeSource", "name"),
            "PersistentVolumeSpec",
                    new Embedded(
                            "PersistentVolumeSource",
                            "capacity accessModes claimRef persistentVolumeReclaimPolicy storageClassName mountOptions"
                                    + " volumeMode nodeAffinity volumeAttributesClassName"),
            "EphemeralContainer", new Embedded("EphemeralContainerCommon", "targetContainerName"),
            "NamedRuleWithOperations", new Embedded("RuleWithOperations", "resourceNames"),
            "IngressRule", new Embedded("IngressRuleValue", "host"));

    /** Of the fields listed. */
    private static final Map<String, Embedded> ONLY = Map.ofEntries(
            Map.entry("DeviceAllocationConfiguration", new Embedded("DeviceConfiguration", "opaque")),
            Map.entry("DeviceClaimConfiguration", new Embedded("DeviceConfiguration", "opaque")),
            Map.entry("DeviceClassConfiguration", new Embedded("DeviceConfiguration", "opaque")),
            Map.entry("Probe", new Embedded("ProbeHandler", "exec httpGet tcpSocket grpc")),
            Map.entry("ConfigMapKeySelector", new Embedded("LocalObjectReference", "name")),
            Map.entry("SecretKeySelector", new Embedded("LocalObjectReference", "name")),
            Map.entry("ConfigMapVolumeSource", new Embedded("LocalObjectReference", "name")),
            Map.entry("ConfigMapProjection", new Embedded("LocalObjectReference", "name")),
            Map.entry("SecretProjection", new Embedded("LocalObjectReference", "name")),
            Map.entry("ConfigMapEnvSource", new Embedded("LocalObjectReference", "name")),
            Map.entry("SecretEnvSource", new Embedded("LocalObjectReference", "name")),
            Map.entry("RuleWithOperations", new Embedded("Rule", "apiGroups apiVersions resources scope")));

    private record Embedded(String name, Set<String> fields) {
        Embedded(String name, String fields) {
            this(name, Arrays.stream(fields.split(" ")).collect(Collectors.toUnmodifiableSet()));
        }
    }

    private EmbeddedStructs() {}

    /** The path of a field, without indexes, as it is shown: with the names of the embedded structs that it leads through. */
    static String path(TypeSchema root, String path) {
        StringBuilder shown = new StringBuilder();
        TypeSchema type = root;
        for (String name : path.split("\\.", -1)) {
            String embedded = type == null ? "" : embedded(type.name(), name);
            shown.append(shown.isEmpty() ? "" : ".")
                    .append(embedded.isEmpty() ? "" : embedded + ".")
                    .append(name);
            type = below(type, name);
        }
        return shown.toString();
    }

    private static String embedded(String struct, String field) {
        Embedded most = ALL_BUT.get(struct);
        if (most != null) {
            return most.fields().contains(field) ? "" : below(most, field);
        }
        Embedded some = ONLY.get(struct);
        return some != null && some.fields().contains(field) ? below(some, field) : "";
    }

    /** An embedded struct may embed another one. */
    private static String below(Embedded outer, String field) {
        String inner = embedded(outer.name(), field);
        return inner.isEmpty() ? outer.name() : outer.name() + "." + inner;
    }

    private static @Nullable TypeSchema below(@Nullable TypeSchema type, String name) {
        Field field = type == null ? null : type.field(name);
        TypeSchema next = field == null ? (type == null ? null : type.element()) : field.type();
        while (next != null && next.shape() == TypeSchema.Shape.LIST) {
            next = next.element();
        }
        return next;
    }
}
