package dev.sro.core.engine.session;

import dev.sro.core.manifest.AppliedDigest;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plan.WriteFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Fields of a recipe that the cluster's API does not have. A client that writes whole objects never notices: the API server drops
 * them. Server-side apply refuses the object, so for recipes that were made for such clients they are left out, one by one as they
 * are refused. What was left out is written on the object, so that a restart need not ask again. Guarded by the
 * {@link ResourceSession} that has it.
 */
public final class UndeclaredFields {

    /** How the API server says it. */
    private static final Pattern REFUSAL = Pattern.compile("(\\.[^\\s:]+): field not declared in schema");

    private record Learned(String digest, SortedSet<String> paths) {}

    private final Map<ObjectRef, Learned> learned = new HashMap<>();

    /**
     * The states without what the cluster does not know.
     *
     * @param owned what exists
     * @param failures what was refused
     * @param told gets a line for each object from which something is missing
     */
    public List<DesiredState> without(
            List<DesiredState> states,
            Map<ObjectRef, KubeObject> owned,
            Map<ObjectRef, WriteFailure> failures,
            List<String> told) {
        DefinitionFields definitions = new DefinitionFields(owned.values());
        List<DesiredState> result = new ArrayList<>(states.size());
        boolean changed = false;
        for (DesiredState state : states) {
            Map<String, List<Desired>> byPool = new HashMap<>();
            state.byPool().forEach((pool, own) -> byPool.put(pool, strip(own, owned, definitions, failures, told)));
            DesiredState stripped =
                    state.with(strip(state.shared(), owned, definitions, failures, told), byPool, state.problems());
            changed |= !stripped.equals(state);
            result.add(stripped);
        }
        return changed ? result : states;
    }

    private List<Desired> strip(
            List<Desired> objects,
            Map<ObjectRef, KubeObject> owned,
            DefinitionFields definitions,
            Map<ObjectRef, WriteFailure> failures,
            List<String> told) {
        return objects.stream()
                .map(desired -> {
                    SortedSet<String> paths = paths(desired.object(), owned, failures);
                    paths.removeIf(path -> definitions.declare(desired.object().ref(), path));
                    if (paths.isEmpty()) {
                        return desired;
                    }
                    told.add(desired.object().ref() + ": this cluster has no field " + String.join(", ", paths)
                            + "; it was left out");
                    return new Desired(without(desired.object(), paths), desired.state(), desired.pool());
                })
                .toList();
    }

    private SortedSet<String> paths(
            KubeObject object, Map<ObjectRef, KubeObject> owned, Map<ObjectRef, WriteFailure> failures) {
        ObjectRef ref = object.ref();
        String digest = object.annotation(MetadataKeys.APPLIED).orElse("");
        Learned known = learned.get(ref);
        if (known == null || !known.digest.equals(digest)) {
            known = new Learned(digest, written(owned.get(ref), digest));
        }
        WriteFailure failure = failures.get(ref);
        if (failure != null && failure.tells() == WriteFailure.Tells.UNDECLARED_FIELD) {
            Matcher refusal = REFUSAL.matcher(failure.problem().message());
            while (refusal.find()) {
                known.paths.add(refusal.group(1));
            }
        }
        if (!known.paths.isEmpty()) {
            learned.put(ref, known);
        }
        return known.paths;
    }

    private static SortedSet<String> written(@Nullable KubeObject live, String digest) {
        SortedSet<String> paths = new TreeSet<>();
        Optional<String> mark = Optional.ofNullable(live).flatMap(found -> found.annotation(MetadataKeys.UNDECLARED));
        String[] words = mark.orElse("").split(" ", -1);
        if (words[0].equals(digest)) {
            paths.addAll(List.of(words).subList(1, words.length));
        }
        return paths;
    }

    private static KubeObject without(KubeObject object, SortedSet<String> paths) {
        String digest = object.annotation(MetadataKeys.APPLIED).orElse("");
        return AppliedDigest.stamp(object.edit(tree -> {
            paths.forEach(path -> remove(tree, path));
            Map<String, Object> annotations = ValueTrees.ensureMap(tree, "metadata", "annotations");
            annotations.remove(MetadataKeys.APPLIED);
            annotations.put(MetadataKeys.UNDECLARED, digest + " " + String.join(" ", paths));
        }));
    }

    /** Takes the field at the path out of a mutable tree; a path that leads nowhere changes nothing. */
    static void remove(Map<String, Object> tree, String path) {
        @Nullable Object at = tree;
        @Nullable Object parent = null;
        String last = "";
        Matcher steps = DefinitionFields.STEP.matcher(path);
        while (steps.find() && at != null) {
            parent = at;
            if (steps.group(1) != null) {
                last = steps.group(1);
                at = at instanceof Map<?, ?> map ? map.get(last) : null;
            } else if (at instanceof List<?> list) {
                at = steps.group(2) != null
                        ? item(list, Integer.parseInt(steps.group(2)))
                        : item(list, steps.group(3), steps.group(4));
            } else {
                return;
            }
        }
        if (parent instanceof Map<?, ?> map) {
            map.remove(last);
        }
    }

    private static @Nullable Object item(List<?> list, int index) {
        return index < list.size() ? list.get(index) : null;
    }

    private static @Nullable Object item(List<?> list, String key, String value) {
        return list.stream()
                .filter(item -> item instanceof Map<?, ?> map && value.equals(String.valueOf(map.get(key))))
                .findFirst()
                .orElse(null);
    }
}
