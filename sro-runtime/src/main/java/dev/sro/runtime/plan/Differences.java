package dev.sro.runtime.plan;

import dev.sro.core.manifest.Adoption;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.ReplacedKinds;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.StateReport;
import dev.sro.core.plan.memo.DriftView;
import dev.sro.core.yaml.YamlWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How what shall be there differs from what is there, object by object. Stateless. */
final class Differences {

    /**
     * One object that differs.
     *
     * @param ref which one
     * @param before the fields of it that the recipe sets, as they are; empty when it is not there
     * @param after as they shall be; empty when it goes
     * @param hunks the difference, line by line
     */
    record Difference(ObjectRef ref, boolean before, boolean after, List<String> hunks) {}

    private Differences() {}

    static List<Difference> find(PreviewedResource previewed) {
        Map<ObjectRef, KubeObject> left = new TreeMap<>(previewed.preview().owned());
        List<Difference> all = new ArrayList<>();
        for (Desired desired : previewed.desired()) {
            ObjectRef ref = desired.object().ref();
            KubeObject live = left.remove(ref);
            if (live == null ? isHeldBack(previewed, desired) : live.terminating()) {
                continue;
            }
            difference(desired, live).ifPresent(all::add);
        }
        left.values().stream()
                .filter(live -> isLeaving(previewed, live))
                .forEach(live -> all.add(
                        new Difference(live.ref(), true, false, UnifiedDiff.compute(lines(gone(live)), List.of()))));
        return all;
    }

    /** A build whose image can be pulled is not made: its state is as it shall be without it. */
    private static boolean isHeldBack(PreviewedResource previewed, Desired desired) {
        return desired.object().annotation(MetadataKeys.VENDOR).isPresent()
                && desired.object().ref().kind().startsWith("Build")
                && previewed
                        .preview()
                        .plan()
                        .state(desired.state())
                        .map(StateReport::outcome)
                        .filter(outcome -> outcome.isReady())
                        .isPresent();
    }

    private static Optional<Difference> difference(Desired desired, @Nullable KubeObject live) {
        if (live == null) {
            List<String> after = lines(desired.object().tree());
            return Optional.of(
                    new Difference(desired.object().ref(), false, true, UnifiedDiff.compute(List.of(), after)));
        }
        KubeObject wanted =
                Adoption.isAsItRan(desired.object(), live) ? Adoption.asItRuns(desired.object()) : desired.object();
        if (ReplacedKinds.KINDS.contains(live.ref().kind()) && isSameManifest(wanted, live)) {
            // It is not made anew for what SRO adds to it by itself.
            return Optional.empty();
        }
        Map<String, Object> before = DriftView.project(wanted, live);
        List<String> hunks = UnifiedDiff.compute(lines(without(before)), lines(without(wanted.tree())));
        if (hunks.isEmpty()) {
            // A field that the recipe set once and does not any more shows in the digest alone.
            hunks = UnifiedDiff.compute(lines(before), lines(wanted.tree()));
        }
        return hunks.isEmpty() ? Optional.empty() : Optional.of(new Difference(live.ref(), true, true, hunks));
    }

    private static boolean isSameManifest(KubeObject wanted, KubeObject live) {
        String mark = live.annotation(MetadataKeys.MANIFEST).isPresent() ? MetadataKeys.MANIFEST : MetadataKeys.APPLIED;
        return wanted.annotation(mark).equals(live.annotation(mark));
    }

    /** Whether nobody wants it any more. What cannot be rendered stays, and so does everything while there is no recipe. */
    private static boolean isLeaving(PreviewedResource previewed, KubeObject live) {
        Plan plan = previewed.preview().plan();
        boolean known = plan.problems().isEmpty()
                && previewed.preview().states().stream()
                        .map(DesiredState::problems)
                        .allMatch(Map::isEmpty);
        return known && plan.leaving().contains(live.ref()) && !live.terminating();
    }

    /** Digests differ whenever something else does. */
    private static Map<String, Object> without(Map<String, Object> tree) {
        Map<String, Object> copy = ValueTrees.mutableCopy(tree);
        Map<String, Object> annotations = ValueTrees.ensureMap(copy, "metadata", "annotations");
        annotations.remove(MetadataKeys.APPLIED);
        annotations.remove(MetadataKeys.MANIFEST);
        return copy;
    }

    /** What only the API server writes says nothing about an object that goes. */
    private static Map<String, Object> gone(KubeObject live) {
        Map<String, Object> copy = ValueTrees.mutableCopy(live.tree());
        copy.remove("status");
        ValueTrees.ensureMap(copy, "metadata")
                .keySet()
                .removeAll(Set.of("managedFields", "uid", "resourceVersion", "generation", "creationTimestamp"));
        return copy;
    }

    private static List<String> lines(Map<String, Object> tree) {
        return YamlWriter.write(hidden(tree)).lines().toList();
    }

    /** Secrets show whether they differ, and not what they say. */
    private static Map<String, Object> hidden(Map<String, Object> tree) {
        if (!"Secret".equals(tree.get("kind"))) {
            return tree;
        }
        Map<String, Object> copy = ValueTrees.mutableCopy(tree);
        Map<String, Object> data = new LinkedHashMap<>();
        ValueTrees.map(tree, "data")
                .forEach((key, value) -> data.put(key, "digest " + ValueTrees.digest(Map.of(key, value))));
        if (!data.isEmpty()) {
            copy.put("data", data);
        }
        copy.remove("stringData");
        return copy;
    }
}
