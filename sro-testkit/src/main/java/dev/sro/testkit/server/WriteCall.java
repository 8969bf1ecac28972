package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
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
    final String user;
    final boolean dryRun;
    final FieldValidation validation;
    final List<String> warnings = new ArrayList<>();

    /** The body of a patch; null for all other requests. */
    @Nullable JsonNode patch;

    /** Media type of the patch. */
    String patchType = "";

    /** Paths of fields that were in the body more than once; the last one counts. */
    final List<String> duplicates = new ArrayList<>();

    WriteCall(
            ResourceType type,
            @Nullable String namespace,
            String name,
            String subresource,
            String manager,
            String user,
            boolean dryRun,
            FieldValidation validation) {
        this.type = type;
        this.namespace = type.namespaced() ? namespace : null;
        this.name = name;
        this.subresource = subresource;
        this.manager = manager;
        this.user = user;
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
        return new WriteCall(type, namespace, name, subresource, manager, user, dryRun || alsoDry, validation);
    }

    WriteCall at(String otherNamespace, String otherName) {
        return new WriteCall(type, otherNamespace, otherName, subresource, manager, user, dryRun, validation);
    }

    WriteCall named(String other) {
        WriteCall call = new WriteCall(type, namespace, other, subresource, manager, user, dryRun, validation);
        call.warnings.addAll(warnings);
        call.duplicates.addAll(duplicates);
        return call;
    }

    /** Refuses a body because of fields, or warns of them, or neither: as the request asks for. */
    void report(List<String> unknown) {
        List<String> faults = new ArrayList<>();
        duplicates.forEach(path -> faults.add("duplicate field \"" + path + "\""));
        unknown.forEach(path -> faults.add("unknown field \"" + path + "\""));
        duplicates.clear();
        if (validation == FieldValidation.WARN) {
            warnings.addAll(faults);
        } else if (validation == FieldValidation.STRICT && !faults.isEmpty()) {
            throw new BodyFaultException(type, new TypeFault("strict decoding error: " + String.join(", ", faults)));
        }
    }
}
