package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.merge.ManagedFields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks plugins before and after policies and webhooks. Called with the store's lock held. */
final class PluginAdmission implements Admission {
    private final List<AdmissionPlugin> before;
    private final Admission chain;
    private final List<AdmissionPlugin> after;

    PluginAdmission(List<AdmissionPlugin> before, Admission chain, List<AdmissionPlugin> after) {
        this.before = List.copyOf(before);
        this.chain = chain;
        this.after = List.copyOf(after);
    }

    @Override
    public void checkNamespace(WriteCall call) {
        chain.checkNamespace(call);
    }

    @Override
    public ObjectNode mutate(
            WriteCall call,
            ObjectNode object,
            ManagedFields fields,
            @Nullable Stored old,
            String operation,
            TypeRules rules) {
        ObjectNode next = object;
        for (AdmissionPlugin plugin : before) {
            next = plugin.mutate(call, next, old);
        }
        return chain.mutate(call, next, fields, old, operation, rules);
    }

    @Override
    public void validate(
            WriteCall call, ObjectNode object, ManagedFields fields, @Nullable Stored old, String operation) {
        before.forEach(plugin -> plugin.validate(call, object, old));
        chain.validate(call, object, fields, old, operation);
        after.forEach(plugin -> plugin.validate(call, object, old));
    }

    @Override
    public void delete(WriteCall call, Stored live, DeleteOptions options) {
        chain.delete(call, live, options);
    }

    @Override
    public ObjectNode subresource(
            WriteCall call,
            AdmissionAttributes.Kind kind,
            ObjectNode body,
            @Nullable ObjectNode old,
            String operation) {
        return chain.subresource(call, kind, body, old, operation);
    }
}
