package dev.sro.testkit.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.merge.ManagedFields.Entry;
import dev.sro.testkit.merge.ManagedFields.Owner;
import dev.sro.testkit.schema.TypeSchema;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One server-side apply: merge, removal of what the applier no longer applies, conflicts, new ownership. */
final class Apply {
    private final TypeSchema type;
    private final ObjectNode live;
    private final ManagedFields before;
    private final ObjectNode config;
    private final Owner applier;
    private final FieldSet reset;

    Apply(TypeSchema type, ObjectNode live, ManagedFields before, ObjectNode config, Owner applier, FieldSet reset) {
        this.type = type;
        this.live = live;
        this.before = before;
        this.config = config;
        this.applier = applier;
        this.reset = reset;
    }

    /** Refuses configurations that are not for this type. */
    static void check(TypeSchema type, ObjectNode config, FieldWriter writer) {
        String version = config.path("apiVersion").asText();
        if (!version.equals(writer.apiVersion())) {
            throw MergeException.badRequest("Incorrect version specified in apply patch. Specified patch version: "
                    + version + ", expected: " + writer.apiVersion());
        }
        JsonNode managed = config.path("metadata").get("managedFields");
        if (managed != null && !managed.isNull()) {
            throw MergeException.badRequest("metadata.managedFields must be nil");
        }
        typed(type, config, "patch");
    }

    private static void typed(TypeSchema type, ObjectNode object, String role) {
        List<String> errors = TypeCheck.errors(type, object);
        if (!errors.isEmpty()) {
            String text = errors.size() == 1 ? errors.get(0) : "errors:\n  " + String.join("\n  ", errors);
            throw MergeException.internal(
                    "failed to create typed " + role + " object (" + naming(object) + "): " + text);
        }
    }

    /** The object in messages: {@code namespace/name; group/version, Kind=Kind}. */
    private static String naming(ObjectNode config) {
        String version = config.path("apiVersion").asText();
        JsonNode metadata = config.path("metadata");
        return metadata.path("namespace").asText() + "/" + text(metadata.path("name")) + "; "
                + (version.contains("/") ? version : "/" + version) + ", Kind="
                + config.path("kind").asText();
    }

    private static String text(JsonNode name) {
        return name.isTextual() ? name.asText() : "";
    }

    ApplyResult run(FieldWriter writer, FieldSet ownedByNobody, boolean force) {
        // An object from before its definition changed may not fit any more.
        typed(type, live, "live");
        FieldSet applied = TypedValues.fields(type, config).minusTrees(reset);
        Entry last = before.byKey().get(applier);
        Map<Owner, FieldSet> owners = new LinkedHashMap<>();
        for (Entry entry : before.entries()) {
            owners.put(entry.key(), entry.fields());
        }
        owners.put(applier, applied);

        JsonNode merged = TypedMerge.merge(type, live, config);
        if (last != null && !last.fields().isEmpty()) {
            merged = prune(merged, owners, last.fields());
        }
        Comparison changes = Comparison.of(type, live, merged).without(reset);
        resolveConflicts(changes, owners, force);
        // Another order of items is a change, although nobody's fields change by it.
        boolean changed = !JsonValues.equal(live, merged);

        Map<Owner, Entry> entries = before.byKey();
        entries.replaceAll((key, entry) -> entry.with(owners.getOrDefault(key, FieldSet.EMPTY)));
        Instant lastTime = last == null ? null : last.time();
        Instant time = changed || isNew() ? writer.time() : lastTime;
        entries.put(applier, new Entry(applier, writer.apiVersion(), time, applied.minus(ownedByNobody)));
        ObjectNode object = changed ? copy(merged) : live;
        return new ApplyResult(object, ManagedFields.of(entries.values()), changed);
    }

    private boolean isNew() {
        return before.isEmpty() && !live.path("metadata").has("uid");
    }

    private static ObjectNode copy(JsonNode merged) {
        return merged instanceof ObjectNode object ? object.deepCopy() : JsonNodeFactory.instance.objectNode();
    }

    /** Removes what this manager applied before, does not apply now, and nobody else owns. */
    private JsonNode prune(JsonNode merged, Map<Owner, FieldSet> owners, FieldSet last) {
        FieldSet lastTrees = TypedValues.withStructFields(type, last);
        JsonNode pruned = TypedValues.remove(type, merged, lastTrees);
        FieldSet owned = FieldSet.EMPTY;
        for (FieldSet fields : owners.values()) {
            owned = owned.union(fields);
        }
        FieldSet all = TypedValues.withStructFields(type, TypedValues.fields(type, merged));
        FieldSet kept = TypedValues.withStructFields(type, TypedValues.fields(type, pruned))
                .union(TypedValues.withStructFields(type, owned));
        pruned = TypedValues.remove(type, merged, all.minus(kept));
        // What was never applied by this manager must not go, even if nobody owns it: defaults, fields of former
        // owners.
        FieldSet left = TypedValues.withStructFields(type, TypedValues.fields(type, pruned));
        return TypedValues.remove(type, merged, all.minus(left).intersect(lastTrees));
    }

    private void resolveConflicts(Comparison changes, Map<Owner, FieldSet> owners, boolean force) {
        FieldSet touched = changes.touched();
        Map<Owner, FieldSet> conflicts = new LinkedHashMap<>();
        for (Map.Entry<Owner, FieldSet> owner : owners.entrySet()) {
            if (!owner.getKey().equals(applier)) {
                FieldSet conflict = owner.getValue().intersect(touched);
                if (!conflict.isEmpty()) {
                    conflicts.put(owner.getKey(), conflict);
                }
            }
        }
        if (!force && !conflicts.isEmpty()) {
            throw Conflicts.refusal(conflicts);
        }
        owners.replaceAll((key, fields) -> key.equals(applier) ? fields : without(fields, conflicts.get(key), changes));
    }

    private static FieldSet without(FieldSet fields, @Nullable FieldSet conflict, Comparison changes) {
        FieldSet rest = conflict == null ? fields : fields.minus(conflict);
        return rest.minus(changes.removed());
    }
}
