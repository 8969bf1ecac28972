package dev.sro.testkit.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.merge.ManagedFields.Entry;
import dev.sro.testkit.merge.ManagedFields.Owner;
import dev.sro.testkit.schema.TypeSchema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Field ownership: tracking of plain writes and server-side apply. Objects given here are not modified; a
 * {@code metadata.managedFields} inside of them is not looked at (pass it on as {@code requested}). Stateless.
 *
 * <p>{@code reset} names the top-level fields (or {@code metadata}) that this endpoint ignores and nobody can own through it:
 * {@code status} on the object itself if it has that subresource; {@code spec} on {@code status} of built-in types;
 * {@code spec} and {@code metadata} on {@code status} of custom resources.
 */
public final class FieldOwnership {
    /** More updaters than these are merged into one entry, oldest first. */
    private static final int MAX_UPDATERS = 10;

    private static final String OLD_UPDATERS = "ancient-changes";
    private static final String BEFORE_APPLY = "before-first-apply";

    /** What the server sets itself, or what names the object: nobody owns it. */
    private static final FieldSet OWNED_BY_NOBODY = systemFields();

    private FieldOwnership() {}

    private static FieldSet systemFields() {
        FieldSet set = FieldSet.ofFields(List.of("apiVersion", "kind", "metadata"));
        for (String name : List.of(
                "name",
                "namespace",
                "creationTimestamp",
                "selfLink",
                "uid",
                "clusterName",
                "generation",
                "managedFields",
                "resourceVersion")) {
            set = set.union(FieldSet.ofPath("f:metadata", "f:" + name));
        }
        return set;
    }

    /**
     * Ownership after a create by POST. Cheap: the fields are computed when they are first needed, from {@code created}, which
     * must therefore not be modified any more.
     *
     * @param created the object as decoded and defaulted, before the server adds uid, clusterIP and the like
     * @param requested {@code metadata.managedFields} of the request, if any
     */
    public static ManagedFields create(
            TypeSchema type, ObjectNode created, @Nullable JsonNode requested, Set<String> reset, FieldWriter writer) {
        ManagedFields given = decode(requested);
        if (given != null && !given.isEmpty()) {
            return tracked(type, type.zero(), given, created, reset, writer);
        }
        Owner key = key(writer, ManagedFields.UPDATE);
        return ManagedFields.of(new Entry(
                key,
                writer.apiVersion(),
                writer.time(),
                () -> changes(type, type.zero(), created, reset).touched().minus(OWNED_BY_NOBODY)));
    }

    /**
     * Ownership after PUT or a patch that is no apply.
     *
     * @param live the stored object
     * @param liveFields its ownership
     * @param updated the new object after defaulting
     * @param requested {@code metadata.managedFields} of the new object if the request carries any; [] and [{}] reset all
     * @return {@code liveFields} itself if nothing changed but time
     */
    public static ManagedFields update(
            TypeSchema type,
            ObjectNode live,
            ManagedFields liveFields,
            ObjectNode updated,
            @Nullable JsonNode requested,
            Set<String> reset,
            FieldWriter writer) {
        ManagedFields before = liveFields;
        if (writer.subresource().isEmpty()) {
            if (isReset(requested)) {
                return ManagedFields.NONE;
            }
            ManagedFields given = decode(requested);
            before = given == null || given.isEmpty() ? liveFields : given;
        }
        // An object without entries gets none by updates: tracking starts again with the first apply.
        if (before.isEmpty()) {
            return before;
        }
        ManagedFields after = tracked(type, live, before.ofGroup(writer.group()), updated, reset, writer);
        return after.equals(liveFields) && changes(type, live, updated, reset).isSame() ? liveFields : after;
    }

    private static boolean isReset(@Nullable JsonNode requested) {
        return requested != null
                && requested.isArray()
                && (requested.isEmpty()
                        || (requested.size() == 1
                                && requested.get(0).isObject()
                                && requested.get(0).isEmpty()));
    }

    /** The entries of a request; null if they cannot be read, which the server silently ignores. */
    private static @Nullable ManagedFields decode(@Nullable JsonNode requested) {
        try {
            return isReset(requested) ? null : ManagedFields.parse(requested);
        } catch (MergeException e) {
            return null;
        }
    }

    private static Comparison changes(TypeSchema type, ObjectNode left, ObjectNode right, Set<String> reset) {
        Comparison all = Comparison.of(type, left, right);
        return reset.isEmpty() ? all : all.without(FieldSet.ofFields(reset));
    }

    private static ManagedFields tracked(
            TypeSchema type,
            ObjectNode live,
            ManagedFields before,
            ObjectNode updated,
            Set<String> reset,
            FieldWriter writer) {
        Comparison changes = changes(type, live, updated, reset);
        if (changes.isSame()) {
            return before;
        }
        Map<Owner, Entry> entries = before.byKey();
        FieldSet touched = changes.touched();
        FieldSet lost = touched.union(changes.removed());
        entries.replaceAll((key, entry) -> without(entry, lost));
        FieldSet taken = touched.minus(OWNED_BY_NOBODY);
        if (!taken.isEmpty()) {
            Owner key = key(writer, ManagedFields.UPDATE);
            Entry own = entries.get(key);
            FieldSet all = own == null ? taken : own.fields().union(taken);
            entries.put(key, new Entry(key, writer.apiVersion(), writer.time(), all));
        }
        entries.values().removeIf(e -> e.fields().isEmpty());
        mergeOldUpdaters(entries);
        return ManagedFields.of(entries.values());
    }

    private static Entry without(Entry entry, FieldSet lost) {
        FieldSet rest = entry.fields().minus(lost);
        return rest.equals(entry.fields()) ? entry : entry.with(rest);
    }

    private static void mergeOldUpdaters(Map<Owner, Entry> entries) {
        List<Entry> updaters = new ArrayList<>();
        for (Entry entry : entries.values()) {
            if (entry.key().operation().equals(ManagedFields.UPDATE)) {
                updaters.add(entry);
            }
        }
        updaters.sort(
                Comparator.comparingLong(e -> e.time() == null ? 0 : e.time().getEpochSecond()));
        Map<String, Entry> firsts = new HashMap<>();
        int count = updaters.size();
        for (int i = 0; count > MAX_UPDATERS && i < updaters.size(); i++) {
            Entry entry = updaters.get(i);
            Entry first = firsts.putIfAbsent(entry.apiVersion(), entry);
            if (first != null) {
                Entry merged = mergedInto(first, entry);
                entries.remove(first.key());
                entries.remove(entry.key());
                entries.put(merged.key(), merged);
                firsts.put(entry.apiVersion(), merged);
                count--;
            }
        }
    }

    private static Entry mergedInto(Entry older, Entry newer) {
        Owner key = new Owner(OLD_UPDATERS, ManagedFields.UPDATE, newer.apiVersion(), "");
        return new Entry(key, newer.apiVersion(), newer.time(), older.fields().union(newer.fields()));
    }

    private static Owner key(FieldWriter writer, String operation) {
        String manager = writer.manager().isEmpty() ? "unknown" : writer.manager();
        return Owner.of(manager, operation, writer.apiVersion(), writer.subresource());
    }

    /**
     * Server-side apply.
     *
     * @param live the stored object, null to create one
     * @param liveFields its ownership
     * @param config the applied configuration
     * @throws MergeException 409 for conflicts, 400 and 500 with the server's text for configurations that do not fit the type
     */
    public static ApplyResult apply(
            TypeSchema type,
            @Nullable ObjectNode live,
            ManagedFields liveFields,
            ObjectNode config,
            Set<String> reset,
            FieldWriter writer,
            boolean force) {
        Apply.check(type, config, writer);
        Owner key = key(writer, ManagedFields.APPLY);
        ManagedFields before = liveFields;
        if (live != null && before.isEmpty()) {
            FieldWriter earlier =
                    new FieldWriter(BEFORE_APPLY, writer.apiVersion(), writer.subresource(), writer.time());
            before = create(type, live, null, reset, earlier);
        }
        before = before.ofGroup(writer.group());
        ObjectNode base = live == null ? type.zero() : live;
        Apply apply = new Apply(type, base, before, config, key, FieldSet.ofFields(reset));
        ApplyResult result = apply.run(writer, OWNED_BY_NOBODY, force);
        if (live == null) {
            return new ApplyResult(result.object(), result.fields(), true);
        }
        boolean sameOwners = !liveFields.isEmpty() && result.fields().equals(liveFields) && !result.changed();
        return sameOwners ? new ApplyResult(live, liveFields, false) : result;
    }
}
