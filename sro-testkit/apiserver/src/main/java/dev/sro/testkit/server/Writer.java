package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.VirtualClock;
import dev.sro.testkit.merge.ApplyResult;
import dev.sro.testkit.merge.FieldOwnership;
import dev.sro.testkit.merge.FieldWriter;
import dev.sro.testkit.merge.ManagedFields;
import dev.sro.testkit.merge.MergeException;
import dev.sro.testkit.schema.FieldError;
import dev.sro.testkit.schema.TypeFault;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Creates and changes objects. Every method must be called with the store's lock held. */
final class Writer {
    /** The outcome of a write: what was stored (or would be, for a dry run), and whether it was made. */
    record Result(Stored stored, boolean created) {}

    private final Store store;
    private final VirtualClock clock;
    private final Ids ids;
    private final Function<ResourceType, TypeRules> rules;
    private final Admission admission;

    Writer(Store store, VirtualClock clock, Ids ids, Function<ResourceType, TypeRules> rules, Admission admission) {
        this.store = store;
        this.clock = clock;
        this.ids = ids;
        this.rules = rules;
        this.admission = admission;
    }

    /** Creates an object. The tree belongs to the writer from now on. */
    Result create(WriteCall call, ObjectNode body) {
        TypeRules type = rules.apply(call.type);
        decode(type, call, body);
        type.read(body);
        ObjectNode metadata = Json.metadata(body);
        String version = Json.text(metadata, "resourceVersion");
        JsonNode requested = metadata.remove("managedFields");
        MetadataRules.wipeSystemFields(metadata);
        type.defaults(body);
        MetadataRules.dropDoubleOwners(body, call);
        WriteChecks.place(call, metadata);
        ManagedFields fields;
        try {
            fields = FieldOwnership.create(
                    type.schema(), body, requested, type.reset(call.subresource), writer(call, call.manager));
        } catch (MergeException e) {
            throw Errors.translate(e, call.gvr(), call.name);
        }
        return finishCreate(type, call, Json.topCopy(body), fields, version);
    }

    /** @param version that the object was sent with */
    private Result finishCreate(TypeRules type, WriteCall call, ObjectNode sent, ManagedFields fields, String version) {
        ObjectNode object = admitted(type, call, sent, fields);
        ObjectNode metadata = Json.metadata(object);
        String name = Json.text(metadata, "name");
        if (name.isEmpty() && metadata.hasNonNull("generateName")) {
            String base = Json.text(metadata, "generateName");
            name = type.makesUpNames() ? freshName(call, base) : base;
            metadata.put("name", name);
        } else if (name.isEmpty() && type.namesItself()) {
            name = ids.uid();
            metadata.put("name", name);
        }
        WriteCall named = call.named(name);
        metadata.put("uid", ids.uid());
        metadata.put("creationTimestamp", now().toString());
        type.prepareCreate(object, named);
        MetadataRules.dropEmpty(Json.metadata(object));
        List<FieldError> errors = new ArrayList<>(type.validate(object, null, named));
        if (type.checksMetadata() || errors.isEmpty()) {
            errors.addAll(0, MetadataRules.validate(object, null, type));
        }
        MetadataRules.warnOfFinalizers(object, null, type, named);
        WriteChecks.failIf(errors, named, object);
        admission.validate(named, object, fields, null, "CREATE");
        call.warnings.addAll(named.warnings.subList(call.warnings.size(), named.warnings.size()));
        if (!call.dryRun && Versions.isSet(version)) {
            throw Errors.internal("resourceVersion should not be set on objects to be created");
        }
        Stored existing = store.get(call.type.storage(), named.key());
        if (existing != null) {
            throw WriteChecks.taken(call.gvr(), object, existing);
        }
        type.toStorage(object);
        if (call.dryRun) {
            WriteChecks.echoVersion(Json.metadata(object), version);
            return new Result(new Stored(object, fields, 0), true);
        }
        return new Result(put(named, object, fields), true);
    }

    /** What mutating admission makes of a new object. It sees neither uid nor time, nor a name that is to be generated. */
    private ObjectNode admitted(TypeRules type, WriteCall call, ObjectNode sent, ManagedFields fields) {
        ObjectNode metadata = Json.metadata(sent);
        MetadataRules.dropAllotted(metadata);
        String name = Json.text(metadata, "name");
        String shown = name.isEmpty() ? Json.text(metadata, "generateName") : name;
        admission.checkNamespace(call.named(shown));
        return admission.mutate(call.named(name), sent, fields, null, "CREATE", type);
    }

    private String freshName(WriteCall call, String base) {
        String name = ids.name(base);
        while (store.get(call.type.storage(), call.named(name).key()) != null) {
            name = ids.name(base);
        }
        return name;
    }

    /** PUT. */
    Result update(WriteCall call, ObjectNode body) {
        TypeRules type = rules.apply(call.type);
        decode(type, call, body);
        type.read(body);
        WriteChecks.place(call, Json.metadata(body));
        WriteChecks.checkName(call, body);
        Stored live = live(call);
        if (live == null) {
            if (type.createsOnUpdate() && (call.subresource.isEmpty() || call.subresource.equals("status"))) {
                if (!Json.uid(body).isEmpty()) {
                    throw WriteChecks.uidMismatch(call, Json.uid(body), "");
                }
                WriteChecks.dropVersion(Json.metadata(body));
                return create(call, body);
            }
            throw Errors.notFound(call.gvr(), call.name);
        }
        String uid = Json.uid(body);
        if (!uid.isEmpty() && !uid.equals(Json.uid(live.object()))) {
            throw WriteChecks.uidMismatch(call, uid, Json.uid(live.object()));
        }
        WriteChecks.checkVersion(call, body, live, !type.unconditionalUpdate());
        return change(type, call, live, body, Json.metadata(body).remove("managedFields"));
    }

    /**
     * JSON patch, merge patch or strategic merge patch.
     *
     * @param patch makes the new object from the live one, which carries its managedFields if {@code withFields}
     */
    Result patch(WriteCall call, BiFunction<ObjectNode, TypeRules, ObjectNode> patch, boolean withFields) {
        TypeRules type = rules.apply(call.type);
        Stored live = require(call);
        ObjectNode base = withFields ? Render.tree(live) : live.object();
        ObjectNode next;
        try {
            next = patch.apply(base, type).deepCopy();
        } catch (MergeException e) {
            throw Errors.translate(e, call.gvr(), call.name);
        }
        if (call.type.custom()) {
            PatchFaults.checkCustomKind(call, next);
        } else {
            PatchFaults.checkKind(call.type, next, rules, call, () -> patched(patch, type, live));
        }
        try {
            decode(type, call, next);
        } catch (BodyFaultException e) {
            throw PatchFaults.explain(call, patched(patch, type, live), e.fault());
        }
        type.read(next);
        ObjectNode metadata = Json.metadata(next);
        String uid = Json.uid(next);
        WriteChecks.place(call, metadata);
        WriteChecks.checkName(call, next);
        if (uid.isEmpty()) {
            metadata.put("uid", Json.uid(live.object()));
        }
        WriteChecks.checkVersion(call, next, live, !type.unconditionalUpdate());
        JsonNode requested = metadata.remove("managedFields");
        return change(type, call, live, next, requested);
    }

    /** The result of a patch as the server would have read it, for a message. */
    private static ObjectNode patched(
            BiFunction<ObjectNode, TypeRules, ObjectNode> patch, TypeRules type, Stored live) {
        return patch.apply(Render.tree(live), type);
    }

    /** Changes an object in place, for callers inside of the server. */
    Result modify(WriteCall call, java.util.function.UnaryOperator<ObjectNode> change) {
        TypeRules type = rules.apply(call.type);
        Stored live = require(call);
        ObjectNode next = change.apply(live.object().deepCopy());
        decode(type, call, next);
        return change(type, call, live, next, null);
    }

    /** Server-side apply. */
    @SuppressWarnings("ReferenceEquality") // the ownership is the same instance where nothing changed
    Result apply(WriteCall call, ObjectNode config, boolean force) {
        TypeRules type = rules.apply(call.type);
        Stored live = live(call);
        ObjectNode metadata = Json.metadata(config);
        if (live == null) {
            return applyNew(type, call, config, force);
        }
        ApplyResult result = applied(type, call, live, config, force);
        WriteChecks.checkVersion(call, config, live, false);
        if (WriteChecks.hasName(metadata)) {
            WriteChecks.checkName(call, config);
        }
        WriteChecks.checkNamespace(call, metadata);
        if (!result.changed() && result.fields() == live.fields() && call.reviews == null) {
            return new Result(live, false);
        }
        ObjectNode next = result.object().deepCopy();
        LastApplied.sync(call, live.object(), next, config);
        decodeApplied(type, call, next, config);
        type.defaults(next);
        return store(type, call, live, next, result.fields(), metadataErrors(next, live, type.comparesMetadata()));
    }

    private Result applyNew(TypeRules type, WriteCall call, ObjectNode config, boolean force) {
        if (!call.subresource.isEmpty()) {
            throw Errors.notFound(call.gvr(), call.name);
        }
        ApplyResult result = applied(type, call, null, config, force);
        WriteChecks.checkNobodys(call, Json.uid(config));
        ObjectNode metadata = Json.metadata(config);
        WriteChecks.dropVersion(metadata);
        if (!metadata.has("name") || WriteChecks.hasName(metadata)) {
            WriteChecks.checkName(call, config);
        }
        WriteChecks.checkNamespace(call, metadata);
        ObjectNode object = result.object().deepCopy();
        decodeApplied(type, call, object, config);
        WriteChecks.place(call, Json.metadata(object));
        type.defaults(object);
        MetadataRules.dropDoubleOwners(object, call);
        return finishCreate(type, call, object, result.fields(), "");
    }

    private ApplyResult applied(
            TypeRules type, WriteCall call, @Nullable Stored live, ObjectNode config, boolean force) {
        try {
            return FieldOwnership.apply(
                    type.schema(),
                    live == null ? null : live.object(),
                    live == null ? ManagedFields.NONE : live.fields(),
                    config,
                    type.reset(call.subresource),
                    writer(call, call.manager),
                    force);
        } catch (MergeException e) {
            throw Errors.translate(e, call.gvr(), call.name);
        }
    }

    private Result change(TypeRules type, WriteCall call, Stored live, ObjectNode next, @Nullable JsonNode requested) {
        type.defaults(next);
        MetadataRules.dropDoubleOwners(next, call);
        List<FieldError> errors = metadataErrors(next, live, type.comparesMetadata());
        ManagedFields fields;
        try {
            fields = FieldOwnership.update(
                    type.schema(),
                    call.compared == null ? live.object() : call.compared,
                    live.fields(),
                    next,
                    requested,
                    type.reset(call.subresource),
                    writer(call, call.manager));
        } catch (MergeException e) {
            throw Errors.translate(e, call.gvr(), call.name);
        }
        return store(type, call, live, Json.topCopy(next), fields, errors);
    }

    private Result store(
            TypeRules type,
            WriteCall call,
            Stored live,
            ObjectNode sent,
            ManagedFields fields,
            List<FieldError> errors) {
        ObjectNode next = admission.mutate(call, sent, fields, live, "UPDATE", type);
        if (!sent.equals(next)) {
            errors.addAll(metadataErrors(next, live, type.comparesMetadata()));
        }
        type.prepareUpdate(next, live.object(), call);
        next.set("apiVersion", live.object().get("apiVersion"));
        next.set("kind", live.object().get("kind"));
        errors.addAll(MetadataRules.repeated(MetadataRules.validate(next, live.object(), type), type));
        MetadataRules.warnOfFinalizers(next, live.object(), type, call);
        errors.addAll(type.validate(next, live.object(), call));
        WriteChecks.failIf(errors, call, next);
        admission.validate(call, next, fields, live, "UPDATE");
        type.toStorage(next);
        boolean last = Json.terminating(next)
                && next.path("metadata").path("finalizers").isEmpty()
                && next.path("metadata").path("deletionGracePeriodSeconds").asLong() == 0
                && Json.isEmpty(Finalizers.ofSpec(call.type, next));
        if (last) {
            Json.metadata(next).put("resourceVersion", Long.toString(live.version()));
            if (!call.dryRun) {
                store.remove(call.type.storage(), call.key(), null);
            }
            return new Result(new Stored(next, fields, live.version()), false);
        }
        boolean nobodys = fields.isEmpty() && live.fields().isEmpty();
        if (ObjectComparison.sameObject(next, live.object()) && (nobodys || fields.equals(live.fields()))) {
            return new Result(live, false);
        }
        if (call.dryRun) {
            Json.metadata(next).put("resourceVersion", Long.toString(live.version()));
            return new Result(new Stored(next, fields, live.version()), false);
        }
        return new Result(put(call, next, fields), false);
    }

    /** Looks for forbidden changes of metadata, then puts back what only the server sets. */
    private static List<FieldError> metadataErrors(ObjectNode next, Stored live, boolean twice) {
        List<FieldError> errors = new ArrayList<>(MetadataRules.validateUpdate(next, live.object()));
        // The generic layer and the type's own validation both look at metadata.
        if (twice) {
            errors.addAll(List.copyOf(errors));
        }
        MetadataRules.keepSystemFields(next, live.object());
        Json.metadata(next).put("resourceVersion", Long.toString(live.version()));
        return errors;
    }

    /** The object as clients of the type see it; null if there is none. */
    private @Nullable Stored live(WriteCall call) {
        Stored stored = store.get(call.type.storage(), call.key());
        if (stored == null || !call.type.custom()) {
            return stored == null ? null : EventForms.served(call.type, stored);
        }
        return rules.apply(call.type).served(stored);
    }

    private Stored put(WriteCall call, ObjectNode object, ManagedFields fields) {
        ObjectNode kept = EventForms.kept(call.type, WriteChecks.stored(object));
        return store.put(call.type.storage(), call.key(), kept, fields);
    }

    private Stored require(WriteCall call) {
        Stored live = live(call);
        if (live == null) {
            throw Errors.notFound(call.gvr(), call.name);
        }
        return live;
    }

    private void decode(TypeRules type, WriteCall call, ObjectNode body) {
        body.put("apiVersion", call.type.apiVersion()).put("kind", call.type.kind());
        read(call, () -> type.decode(body));
    }

    private static void read(WriteCall call, Supplier<List<String>> decoder) {
        try {
            call.report(decoder.get());
        } catch (TypeFault e) {
            throw new BodyFaultException(call.type, e);
        }
    }

    /** What an apply made is read after the merge, and so its faults are the server's. */
    private void decodeApplied(TypeRules type, WriteCall call, ObjectNode body, ObjectNode config) {
        try {
            body.put("apiVersion", call.type.apiVersion()).put("kind", call.type.kind());
            read(call, () -> type.decodeApplied(body));
            type.read(body);
        } catch (BodyFaultException e) {
            throw call.type.custom()
                    ? e
                    : WriteChecks.notConverted(call, config, e.fault().words());
        }
    }

    private FieldWriter writer(WriteCall call, String manager) {
        return new FieldWriter(manager, call.type.apiVersion(), call.subresource, clock.instant());
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }
}
