package dev.sro.testkit.server;

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
        return call;
    }

    /** Refuses a body with unknown fields. */
    void strictErrors(List<String> unknown) {
        StringBuilder text = new StringBuilder();
        for (String path : unknown) {
            text.append(text.length() == 0 ? "" : ", ")
                    .append("unknown field \"")
                    .append(path)
                    .append('"');
        }
        throw Errors.badRequest(type.kind() + " in version \"" + type.gvr().version() + "\" cannot be handled as a "
                + type.kind() + ": strict decoding error: " + text);
    }
}
