package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.TypeFault;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a write knows besides its body: where it goes, who writes and how strictly the body is read. */
final class WriteCall {
    /** What happens with unknown and duplicate fields. */
    enum FieldValidation {
        IGNORE,
        WARN,
        STRICT
    }

    final ResourceType type;
    final @Nullable String namespace;
    final String name;
    final String subresource;
    final String manager;
    /** In whose name; null for the administrator, or for a controller of the server. */
    final ApiRequest.@Nullable Identity identity;

    final boolean dryRun;
    final FieldValidation validation;
    final List<String> warnings = new ArrayList<>();

    /** The body of a patch; null for all other requests. */
    @Nullable JsonNode patch;

    /** Media type of the patch. */
    String patchType = "";

    /** Whether the request is about all objects of a collection, and names none. */
    private boolean ofCollection;

    /** The field manager that the request names; empty if it names none. */
    String explicitManager = "";

    /** What the new object is compared with to tell who owns which field; null for the one that is there. */
    @Nullable ObjectNode compared;

    /** What admission webhooks said of this write so far; null where nobody is asked. */
    @Nullable Reviews reviews;

    /** Words of a JSON patch that mean nothing. */
    final List<String> strange = new ArrayList<>();

    /** Paths of fields that were in the body more than once; the last one counts. Of YAML: what is said of them. */
    final List<String> duplicates = new ArrayList<>();

    WriteCall(
            ResourceType type,
            @Nullable String namespace,
            String name,
            String subresource,
            String manager,
            ApiRequest.@Nullable Identity identity,
            boolean dryRun,
            FieldValidation validation) {
        this.type = type;
        this.namespace = type.namespaced() ? namespace : null;
        this.name = name;
        this.subresource = subresource;
        this.manager = manager;
        this.identity = identity;
        this.dryRun = dryRun;
        this.validation = validation;
    }

    Key key() {
        return Key.of(namespace, name);
    }

    Gvr gvr() {
        return type.gvr();
    }

    WriteCall dry(boolean alsoDry) {
        return copy(namespace, name, dryRun || alsoDry);
    }

    /** What a request about a collection comes to for one object of it. */
    WriteCall at(String otherNamespace, String otherName) {
        WriteCall call = copy(otherNamespace, otherName, dryRun);
        call.ofCollection = true;
        return call;
    }

    /** The name that the request has; empty for those about a collection, and where the server is to make one. */
    String requestName() {
        return ofCollection ? "" : name;
    }

    WriteCall named(String other) {
        WriteCall call = copy(namespace, other, dryRun);
        call.warnings.addAll(warnings);
        call.duplicates.addAll(duplicates);
        call.reviews = reviews;
        return call;
    }

    /** The same write, about which nobody is asked any more. */
    WriteCall unreviewed() {
        return copy(namespace, name, dryRun);
    }

    private WriteCall copy(@Nullable String otherNamespace, String otherName, boolean dry) {
        WriteCall call =
                new WriteCall(type, otherNamespace, otherName, subresource, manager, identity, dry, validation);
        call.patch = patch;
        call.patchType = patchType;
        call.explicitManager = explicitManager;
        call.ofCollection = ofCollection;
        return call;
    }

    /** Refuses a body because of fields, or warns of them, or neither: as the request asks for. */
    void report(List<String> unknown) {
        List<String> faults = new ArrayList<>(strange);
        strange.clear();
        boolean strict = validation == FieldValidation.STRICT;
        duplicates.forEach(path -> faults.add(
                path.startsWith(GoYaml.LINE)
                        ? (strict ? "yaml: unmarshal   " : "") + path
                        : "duplicate field \"" + path + "\""));
        unknown.forEach(path -> faults.add("unknown field \"" + path + "\""));
        duplicates.clear();
        if (validation == FieldValidation.WARN) {
            warnings.addAll(faults);
        } else if (strict && !faults.isEmpty()) {
            throw new BodyFaultException(type, new TypeFault("strict decoding error: " + String.join(", ", faults)));
        }
    }
}
