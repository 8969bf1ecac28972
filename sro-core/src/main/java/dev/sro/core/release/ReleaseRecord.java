package dev.sro.core.release;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.manifest.AppliedDigest;
import dev.sro.core.manifest.DesiredHook;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.Json;
import dev.sro.core.yaml.Yaml;
import dev.sro.core.yaml.YamlException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Secret in which a revision of a release is kept, in the form of Helm 3: whoever runs {@code helm list} sees it. What SRO
 * needs for itself is in its annotations. Immutable.
 *
 * @param live as it was observed
 * @param state what it says
 */
public record ReleaseRecord(KubeObject live, ReleaseState state) {

    /** {@code group/version/Kind} of it. */
    public static final String KIND_KEY = "v1/Secret";

    /** The type of Helm's Secrets. */
    public static final String TYPE = "helm.sh/release.v1";

    /** A Secret holds a mebibyte; names, labels and annotations need some of it. */
    private static final int MAX_DATA = 900_000;

    private static final Pattern NAME = Pattern.compile("sh\\.helm\\.release\\.v1\\.(.+)\\.v(\\d{1,9})");

    private static final String KEY = "sro.dev/release-key";
    private static final String DIGEST = "sro.dev/release-digest";
    private static final String EVENT = "sro.dev/release-event";
    private static final String POOLS = "sro.dev/release-pools";
    private static final String UPGRADE = "upgrade";

    /** All of them among these objects, the oldest revision first. */
    public static List<ReleaseRecord> all(Collection<KubeObject> objects) {
        List<ReleaseRecord> records = new ArrayList<>();
        objects.forEach(object -> of(object).ifPresent(records::add));
        records.sort(Comparator.comparingInt(record -> record.state.revision()));
        return records;
    }

    /** Whether the object is one. */
    public static boolean isOne(KubeObject object) {
        return object.ref().kindKey().equals(KIND_KEY)
                && TYPE.equals(ValueTrees.text(object.tree(), "type"))
                && NAME.matcher(object.ref().name()).matches();
    }

    /** What the Secret says; empty if it is none of Helm's. */
    public static Optional<ReleaseRecord> of(KubeObject object) {
        Matcher name = NAME.matcher(object.ref().name());
        if (!isOne(object) || !name.matches()) {
            return Optional.empty();
        }
        SortedSet<String> pools = new TreeSet<>();
        for (String pool : object.annotation(POOLS).orElse("").split(",", -1)) {
            if (!pool.isEmpty()) {
                pools.add(pool);
            }
        }
        ReleaseState state = new ReleaseState(
                Integer.parseInt(name.group(2)),
                ReleaseStatus.of(object.label("status").orElse("")).orElse(ReleaseStatus.FAILED),
                object.annotation(KEY).orElse(""),
                object.annotation(DIGEST).orElse(""),
                object.annotation(EVENT).orElse("").equals(UPGRADE),
                runs(object.annotation(MetadataKeys.HOOKS).orElse("")),
                pools,
                object.annotation("sro.dev/release-description").orElse(""));
        return Optional.of(new ReleaseRecord(object, state));
    }

    private static SortedMap<String, HookRun> runs(String text) {
        SortedMap<String, HookRun> runs = new TreeMap<>();
        try {
            if (!text.isEmpty() && Json.read(text) instanceof Map<?, ?> map) {
                map.forEach((key, value) -> {
                    if (value instanceof Map<?, ?> run) {
                        Map<String, Object> tree = new TreeMap<>();
                        run.forEach((field, word) -> tree.put(String.valueOf(field), word));
                        HookRun.of(tree).ifPresent(found -> runs.put(String.valueOf(key), found));
                    }
                });
            }
        } catch (IllegalStateException | IllegalArgumentException e) {
            // Edited by hand, and no JSON any more: as if it was taken away.
            runs.clear();
        }
        return runs;
    }

    /** The JSON that Helm reads; empty if it cannot be read. */
    public Map<String, Object> content() {
        return Payload.decode(ValueTrees.text(live.tree(), "data", "release"));
    }

    /** The hooks that were recorded, in the order of the recipe. */
    public List<DesiredHook> hooks() {
        List<DesiredHook> hooks = new ArrayList<>();
        for (Map<String, Object> hook : ValueTrees.maps(content(), "hooks")) {
            String path = ValueTrees.text(hook, "path");
            documents(path, ValueTrees.text(hook, "manifest"))
                    .forEach(tree -> hooks.add(DesiredHook.of(KubeObject.of(tree), path)));
        }
        return hooks;
    }

    /** None where somebody wrote into it. */
    private static List<Map<String, Object>> documents(String path, String text) {
        try {
            return Yaml.documents(path, text);
        } catch (YamlException e) {
            return List.of();
        }
    }

    /**
     * The Secret of a new revision.
     *
     * @param account by whose rights it is written; empty for SRO's own
     */
    public static KubeObject first(
            SpecialResource resource,
            Optional<RecipeAccount> account,
            Release release,
            ReleaseState state,
            String firstDeployed,
            Instant now) {
        Map<String, Object> content = ReleaseContent.create(release, state, firstDeployed, now);
        return secret(resource, account, release.chart().namespace(), state, content, now);
    }

    /** The Secret with another state; parameters as for {@link #first}. */
    public KubeObject with(SpecialResource resource, Optional<RecipeAccount> account, ReleaseState other, Instant now) {
        // One in a namespace where the operands were before is written by the account that is there.
        Optional<RecipeAccount> writer = account.filter(
                        by -> by.namespace().equals(live.ref().namespace()))
                .or(() -> RecipeAccount.of(live));
        return secret(resource, writer, live.ref().namespace(), other, content(), now);
    }

    private static KubeObject secret(
            SpecialResource resource,
            Optional<RecipeAccount> account,
            String namespace,
            ReleaseState state,
            Map<String, Object> content,
            Instant now) {
        String name = String.valueOf(resource.getMetadata().getName());
        Map<String, Object> labels = new TreeMap<>();
        labels.put(MetadataKeys.OWNED, "true");
        labels.put(MetadataKeys.SPECIAL_RESOURCE, MetadataKeys.specialResourceLabel(name));
        labels.put("owner", "helm");
        labels.put("name", Release.name(name));
        labels.put("status", state.status().word());
        labels.put("version", String.valueOf(state.revision()));
        labels.put("modifiedAt", String.valueOf(now.getEpochSecond()));
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", ref(name, namespace, state.revision()).name());
        metadata.put("namespace", namespace);
        metadata.put("labels", labels);
        Map<String, Object> annotations = new TreeMap<>(annotations(state));
        account.ifPresent(by -> annotations.put(MetadataKeys.ACCOUNT, by.mark()));
        metadata.put("annotations", annotations);
        metadata.put("ownerReferences", List.of(owner(resource, account)));
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", "v1");
        tree.put("kind", "Secret");
        tree.put("metadata", metadata);
        tree.put("type", TYPE);
        tree.put("data", Map.of("release", fitting(ReleaseContent.with(content, state, now))));
        return AppliedDigest.stamp(KubeObject.of(tree));
    }

    /** What names the Secret of a revision. */
    public static ObjectRef ref(String specialResource, String namespace, int revision) {
        String name = "sh.helm.release.v1." + Release.name(specialResource) + ".v" + revision;
        return new ObjectRef("v1", "Secret", namespace, name);
    }

    private static Map<String, Object> annotations(ReleaseState state) {
        Map<String, Object> annotations = new TreeMap<>();
        annotations.put(KEY, state.key());
        annotations.put(DIGEST, state.digest());
        annotations.put(EVENT, state.upgrade() ? UPGRADE : "install");
        annotations.put("sro.dev/release-description", state.description());
        if (!state.pools().isEmpty()) {
            annotations.put(POOLS, String.join(",", state.pools()));
        }
        if (!state.hooks().isEmpty()) {
            Map<String, Object> hooks = new TreeMap<>();
            state.hooks().forEach((key, run) -> hooks.put(key, run.tree()));
            annotations.put(MetadataKeys.HOOKS, Json.text(hooks));
        }
        return annotations;
    }

    private static Map<String, Object> owner(SpecialResource resource, Optional<RecipeAccount> account) {
        Map<String, Object> owner = new LinkedHashMap<>();
        owner.put("apiVersion", resource.getApiVersion());
        owner.put("kind", resource.getKind());
        owner.put("name", resource.getMetadata().getName());
        owner.put("uid", String.valueOf(resource.getMetadata().getUid()));
        owner.put("controller", true);
        // Where that is policed it takes a right on special resources, which no account of a recipe has.
        owner.put("blockOwnerDeletion", account.isEmpty());
        return owner;
    }

    /** As it fits: first the manifest goes, then the chart's values, then the user's. Hooks are needed for the deletion. */
    private static String fitting(Map<String, Object> content) {
        String data = Payload.encode(content);
        if (!isTooLarge(data)) {
            return data;
        }
        content.put("manifest", ReleaseContent.LEFT_OUT);
        data = Payload.encode(content);
        if (isTooLarge(data)) {
            ValueTrees.ensureMap(content, "chart").remove("values");
            content.remove("config");
            data = Payload.encode(content);
        }
        return data;
    }

    /** Of what is in the Secret, its own base64 taken off. */
    private static boolean isTooLarge(String data) {
        return data.length() / 4L * 3 > MAX_DATA;
    }
}
