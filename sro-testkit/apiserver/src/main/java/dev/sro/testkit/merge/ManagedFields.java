package dev.sro.testkit.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who owns which fields of one object: the content of {@code metadata.managedFields}, kept beside the object instead of in it.
 * Immutable as seen from outside and thread-safe; the entry of a plain create is computed only when somebody looks at it.
 * Equality does not look at times.
 */
public final class ManagedFields {
    /** Nobody owns anything. */
    public static final ManagedFields NONE = new ManagedFields(List.of());

    static final String APPLY = "Apply";
    static final String UPDATE = "Update";

    /** What tells entries apart; an applier keeps its entry when it applies another version. */
    record Owner(String manager, String operation, String apiVersion, String subresource) {
        static Owner of(String manager, String operation, String apiVersion, String subresource) {
            return new Owner(manager, operation, operation.equals(APPLY) ? "" : apiVersion, subresource);
        }

        /** As in the server's identifiers, by which conflicts are sorted. */
        String identifier() {
            return manager + "\u0000" + operation + "\u0000" + apiVersion + "\u0000" + subresource;
        }
    }

    /** One entry; its fields are computed on first use and then kept. */
    static final class Entry {
        private final Owner key;
        private final String apiVersion;
        private final @Nullable Instant time;
        private volatile @Nullable FieldSet fields;
        private volatile @Nullable Supplier<FieldSet> pending;

        Entry(Owner key, String apiVersion, @Nullable Instant time, FieldSet fields) {
            this.key = key;
            this.apiVersion = apiVersion;
            this.time = time;
            this.fields = fields;
        }

        Entry(Owner key, String apiVersion, Instant time, Supplier<FieldSet> pending) {
            this.key = key;
            this.apiVersion = apiVersion;
            this.time = time;
            this.pending = pending;
        }

        Owner key() {
            return key;
        }

        @Nullable Instant time() {
            return time;
        }

        String apiVersion() {
            return apiVersion;
        }

        FieldSet fields() {
            FieldSet known = fields;
            if (known == null) {
                // Two threads may both compute it; they get equal sets.
                Supplier<FieldSet> source = pending;
                known = source == null ? FieldSet.EMPTY : source.get();
                if (source != null) {
                    fields = known;
                    pending = null;
                } else {
                    known = Objects.requireNonNullElse(fields, FieldSet.EMPTY);
                }
            }
            return known;
        }

        Entry with(FieldSet changed) {
            return new Entry(key, apiVersion, time, changed);
        }

        private long seconds() {
            return time == null ? 0 : time.getEpochSecond();
        }

        private ObjectNode toJson() {
            ObjectNode out = JsonNodeFactory.instance.objectNode();
            if (!key.manager().isEmpty()) {
                out.put("manager", key.manager());
            }
            out.put("operation", key.operation()).put("apiVersion", apiVersion);
            if (time != null) {
                out.put("time", time.truncatedTo(ChronoUnit.SECONDS).toString());
            }
            out.put("fieldsType", "FieldsV1").set("fieldsV1", fields().toJson());
            if (!key.subresource().isEmpty()) {
                out.put("subresource", key.subresource());
            }
            return out;
        }
    }

    private static final Comparator<Entry> ORDER = Comparator.comparing((Entry e) -> e.key.operation())
            .thenComparingLong(Entry::seconds)
            .thenComparing(e -> e.key.manager())
            .thenComparing(e -> e.apiVersion)
            .thenComparing(e -> e.key.subresource());

    private final List<Entry> entries;

    private ManagedFields(List<Entry> entries) {
        this.entries = entries;
    }

    static ManagedFields of(Entry entry) {
        return new ManagedFields(List.of(entry));
    }

    /** Of these entries, sorted; those that own nothing are left out. */
    static ManagedFields of(Collection<Entry> entries) {
        List<Entry> sorted = new ArrayList<>(entries);
        sorted.removeIf(e -> e.fields().isEmpty());
        sorted.sort(ORDER);
        return sorted.isEmpty() ? NONE : new ManagedFields(List.copyOf(sorted));
    }

    /**
     * Reads {@code metadata.managedFields}.
     *
     * @throws MergeException if an entry is malformed
     */
    public static ManagedFields parse(@Nullable JsonNode array) {
        if (array == null || !array.isArray() || array.isEmpty()) {
            return NONE;
        }
        Map<Owner, Entry> out = new LinkedHashMap<>();
        for (int i = 0; i < array.size(); i++) {
            Entry entry = entry(array.get(i), i);
            out.put(entry.key, entry);
        }
        return of(out.values());
    }

    private static Entry entry(JsonNode json, int index) {
        String operation = json.path("operation").asText();
        String apiVersion = json.path("apiVersion").asText();
        String fieldsType = json.path("fieldsType").asText();
        if (!operation.equals(APPLY) && !operation.equals(UPDATE)) {
            throw MergeException.internal("operation must be `Apply` or `Update`");
        }
        if (apiVersion.isEmpty()) {
            throw MergeException.internal("apiVersion must not be empty");
        }
        if (!fieldsType.equals("FieldsV1")) {
            throw MergeException.internal(
                    fieldsType.isEmpty()
                            ? "missing fieldsType in managed fields entry " + index
                            : "invalid fieldsType \"" + fieldsType + "\" in managed fields entry " + index);
        }
        String subresource = json.path("subresource").asText();
        Owner key = Owner.of(json.path("manager").asText(), operation, apiVersion, subresource);
        return new Entry(key, apiVersion, time(json.get("time")), FieldSet.parse(json.path("fieldsV1")));
    }

    private static @Nullable Instant time(@Nullable JsonNode json) {
        if (json == null || !json.isTextual()) {
            return null;
        }
        try {
            return Instant.parse(json.textValue());
        } catch (DateTimeException e) {
            throw MergeException.internal("invalid time in managed fields: " + json.textValue());
        }
    }

    List<Entry> entries() {
        return entries;
    }

    /** The entries by key, for changes. */
    Map<Owner, Entry> byKey() {
        Map<Owner, Entry> out = new LinkedHashMap<>();
        for (Entry entry : entries) {
            out.put(entry.key, entry);
        }
        return out;
    }

    /** Those of versions of a group: what is owned in a version that is none of the type's is nobody's, as in the original. */
    ManagedFields ofGroup(String group) {
        List<Entry> kept = entries.stream()
                .filter(entry ->
                        entry.apiVersion().contains("/") ? entry.apiVersion().startsWith(group + "/") : group.isEmpty())
                .toList();
        return kept.size() == entries.size() ? this : of(kept);
    }

    /** Whether there is no entry. */
    public boolean isEmpty() {
        return entries.isEmpty()
                || (entries.size() == 1 && entries.get(0).fields().isEmpty());
    }

    /** The array in the server's order; a new tree of which the caller may dispose. Empty if there is no entry. */
    public ArrayNode toJson() {
        ArrayNode out = JsonNodeFactory.instance.arrayNode(entries.size());
        for (Entry entry : entries) {
            if (!entry.fields().isEmpty()) {
                out.add(entry.toJson());
            }
        }
        return out;
    }

    private static boolean same(Entry a, Entry b) {
        return a == b
                || (a.key.equals(b.key)
                        && a.apiVersion.equals(b.apiVersion)
                        && a.fields().equals(b.fields()));
    }

    @Override
    public boolean equals(@Nullable Object o) {
        if (this == o) {
            return true;
        }
        if (!(o instanceof ManagedFields other) || entries.size() != other.entries.size()) {
            return false;
        }
        Map<Owner, Entry> mine = byKey();
        for (Entry entry : other.entries) {
            Entry own = mine.get(entry.key);
            if (own == null || !same(own, entry)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return entries.stream().mapToInt(e -> e.key.hashCode()).sum();
    }

    @Override
    public String toString() {
        return toJson().toString();
    }
}
