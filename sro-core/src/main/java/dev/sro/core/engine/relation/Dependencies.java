package dev.sro.core.engine.relation;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.resource.ChartDependency;
import dev.sro.api.resource.ChartReference;
import dev.sro.api.resource.RecipeDependency;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.engine.roster.ResourcePrecedence;
import dev.sro.core.manifest.RenderException;
import dev.sro.core.model.Code;
import dev.sro.core.model.Codec;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.Specs;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plan.Dependency;
import dev.sro.core.plan.memo.Drift;
import dev.sro.core.recipe.RecipeResolver;
import dev.sro.core.recipe.chart.Chart;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * {@code spec.dependencies}: each chart there is a special resource of its own, which has the chart's name. Of those that
 * several ask for the oldest decides. Keeps no state; thread-safe.
 */
public final class Dependencies {

    private final ClusterReader reader;
    private final RecipeResolver resolver;
    private final Codec codec;
    private final DependencyManifest manifest;

    /**
     * @param inherited keys of labels that a special resource that is made has from the one that it is made for, unless its chart says
     *     something else
     */
    public Dependencies(ClusterReader reader, RecipeResolver resolver, Codec codec, Set<String> inherited) {
        this.manifest = new DependencyManifest(codec, inherited);
        this.reader = reader;
        this.resolver = resolver;
        this.codec = codec;
    }

    /**
     * What a special resource needs of others.
     *
     * @param all in the order of {@code spec.dependencies}
     * @param warnings what the user should know
     * @param pending what has to be known before anything is said of the special resource: the first answer of a repository
     */
    public record Assessment(List<Dependency> all, List<String> warnings, Optional<Outcome> pending) {
        public static final Assessment NONE = new Assessment(List.of(), List.of(), Optional.empty());
    }

    /** What is wrong with {@code spec.dependencies} itself. */
    public List<Problem> check(SpecialResource resource) {
        if (declared(resource).isEmpty() && dependsOn(resource).isEmpty()) {
            return List.of();
        }
        List<Problem> problems = new ArrayList<>();
        Map<String, ChartDependency> seen = new HashMap<>();
        int index = 0;
        for (ChartDependency dependency : declared(resource)) {
            String field = "spec.dependencies[" + index++ + "]";
            String name = name(dependency);
            if (name.isEmpty()) {
                problems.add(Problem.user(
                        "InvalidDependency",
                        field + ".chart.name: missing; set it to the name of the chart that has to be there first"));
            } else if (!Objects.equals(seen.getOrDefault(name, dependency), dependency)) {
                problems.add(Problem.user(
                        "InvalidDependency",
                        field + ": the chart " + name + " is there twice, and not with the same version, repository and"
                                + " set; remove one"));
            }
            seen.putIfAbsent(name, dependency);
        }
        List<String> cycle = DependencyGraph.cycle(resource.getMetadata().getName(), edges(resource));
        if (!cycle.isEmpty()) {
            problems.add(Problem.user(
                    "DependencyCycle",
                    "spec.dependencies and spec.dependsOn: " + String.join(" needs ", cycle)
                            + "; remove one of these dependencies, or none of them can ever be first"));
        }
        return problems;
    }

    private Map<String, SortedSet<String>> edges(SpecialResource resource) {
        Map<String, SortedSet<String>> edges = new HashMap<>();
        for (SpecialResource other : reader.specialResources()) {
            edges.put(other.getMetadata().getName(), needed(other));
        }
        edges.put(resource.getMetadata().getName(), needed(resource));
        return edges;
    }

    /** What it has to wait for, whoever makes it. */
    static SortedSet<String> needed(SpecialResource resource) {
        SortedSet<String> needed = names(resource);
        needed.addAll(dependsOn(resource));
        return needed;
    }

    private static List<String> dependsOn(SpecialResource resource) {
        return resource.getSpec() == null
                ? List.of()
                : resource.getSpec().getDependsOn().stream()
                        .map(RecipeDependency::getName)
                        .filter(name -> !name.isEmpty())
                        .toList();
    }

    /** The special resources of its charts. */
    static SortedSet<String> names(SpecialResource resource) {
        SortedSet<String> names = new TreeSet<>();
        declared(resource).forEach(dependency -> names.add(name(dependency)));
        return names;
    }

    private static List<ChartDependency> declared(SpecialResource resource) {
        return Specs.of(resource).getDependencies();
    }

    private static String name(ChartDependency dependency) {
        return dependency.getChart() == null ? "" : dependency.getChart().getName();
    }

    /** How far the dependencies are, and what to write of them. */
    public Assessment of(SpecialResource resource, Instant now) {
        if (declared(resource).isEmpty() && dependsOn(resource).isEmpty()) {
            return Assessment.NONE;
        }
        Map<String, Dependency> all = new LinkedHashMap<>();
        List<String> warnings = new ArrayList<>();
        for (ChartDependency dependency : declared(resource)) {
            all.computeIfAbsent(name(dependency), name -> one(resource, dependency, now, warnings));
        }
        for (String name : dependsOn(resource)) {
            // Nobody knows of what it would be made.
            Optional<SpecialResource> live = reader.specialResource(name);
            live.ifPresentOrElse(
                    other -> all.computeIfAbsent(name, unused -> Dependency.judged(ref(name), judge(other, now))),
                    () -> warnings.add("spec.dependsOn: there is no special resource " + name
                            + ", so it is not waited for; make it, or remove it from there"));
        }
        Optional<Outcome> pending = all.values().stream()
                .map(Dependency::outcome)
                .filter(Code.CHART_PENDING::is)
                .findFirst();
        return new Assessment(List.copyOf(all.values()), warnings, pending);
    }

    private Dependency one(SpecialResource resource, ChartDependency needed, Instant now, List<String> warnings) {
        String name = name(needed);
        ObjectRef ref = ref(name);
        Optional<SpecialResource> live = reader.specialResource(name);
        SpecialResource decider = decider(name).orElse(resource);
        if (!decider.getMetadata().getName().equals(resource.getMetadata().getName())) {
            return Dependency.judged(
                    ref,
                    conflict(needed, decider)
                            .map(Outcome::failed)
                            .orElseGet(() -> live.map(child -> judge(child, now))
                                    .orElseGet(() -> waiting(name, "is to be made", now))));
        }
        if (live.isPresent() && isLeaving(live.get())) {
            return Dependency.judged(ref, waiting(name, "is being deleted and will be made anew", now));
        }
        if (live.isPresent() && !isOurs(live.get())) {
            foreign(needed, live.get()).ifPresent(warnings::add);
            return Dependency.judged(ref, judge(live.get(), now));
        }
        return ours(resource, needed, live, now);
    }

    private Dependency ours(
            SpecialResource resource, ChartDependency needed, Optional<SpecialResource> live, Instant now) {
        String name = name(needed);
        ChartReference reference = Objects.requireNonNull(needed.getChart());
        return resolver.chart(reference, resource.getMetadata().getName())
                .map(
                        found -> made(resource, needed, found.chart(), live, now),
                        from -> without(name, live, pending(name, from, now), now),
                        problem -> without(name, live, failed(name, problem), now));
    }

    private static Dependency without(String name, Optional<SpecialResource> live, Outcome noChart, Instant now) {
        return Dependency.judged(ref(name), live.map(child -> judge(child, now)).orElse(noChart));
    }

    private Dependency made(
            SpecialResource resource,
            ChartDependency needed,
            Chart chart,
            Optional<SpecialResource> live,
            Instant now) {
        String name = name(needed);
        KubeObject wanted;
        try {
            wanted = manifest.of(resource, name, needed, chart);
        } catch (RenderException e) {
            return Dependency.judged(ref(name), Outcome.failed(e.problem()));
        }
        if (live.isEmpty()) {
            return new Dependency(
                    ref(name), Optional.of(wanted), true, "missing", waiting(name, "is made for it", now));
        }
        Optional<String> difference = Drift.find(wanted, KubeObject.of(codec.toTree(live.get())));
        return difference.isEmpty()
                ? Dependency.judged(ref(name), judge(live.get(), now))
                : new Dependency(
                        ref(name), Optional.of(wanted), false, difference.get() + " differs", judge(live.get(), now));
    }

    private static Outcome failed(String name, Problem problem) {
        return Outcome.failed(new Problem(
                problem.code(),
                "spec.dependencies, chart " + name + ": " + problem.message(),
                problem.owner(),
                problem.retryable()));
    }

    private static Outcome pending(String name, String from, Instant now) {
        return Outcome.waiting(
                Code.CHART_PENDING.text(),
                now,
                "special resource " + name + " waits for " + from + ", which is being fetched");
    }

    /** The oldest that asks for it and takes part. */
    private Optional<SpecialResource> decider(String name) {
        return reader.specialResources().stream()
                .filter(other -> !ResourcePrecedence.isLeaving(other) && !ResourcePrecedence.isUnmanaged(other))
                .filter(other -> names(other).contains(name))
                .min(ResourcePrecedence.AGE);
    }

    private static Optional<Problem> conflict(ChartDependency needed, SpecialResource decider) {
        ChartDependency decided = declared(decider).stream()
                .filter(other -> name(other).equals(name(needed)))
                .findFirst()
                .orElseThrow();
        if (decided.equals(needed)) {
            return Optional.empty();
        }
        return Optional.of(Problem.user(
                "DependencyConflict",
                "spec.dependencies: the chart " + name(needed) + " is asked for with " + difference(needed, decided)
                        + " by special resource " + decider.getMetadata().getName() + ", which is older and decides;"
                        + " ask for the same"));
    }

    private static String difference(ChartDependency needed, ChartDependency decided) {
        ChartReference mine = Objects.requireNonNull(needed.getChart());
        ChartReference theirs = Objects.requireNonNull(decided.getChart());
        if (!mine.getVersion().equals(theirs.getVersion())) {
            return "version " + theirs.getVersion() + " and not " + mine.getVersion();
        }
        return mine.equals(theirs) ? "another set" : "another repository";
    }

    /** One that a user made is taken as it is. */
    private Optional<String> foreign(ChartDependency needed, SpecialResource live) {
        Map<String, Object> spec = new TreeMap<>();
        spec.put("chart", codec.toTree(Objects.requireNonNull(needed.getChart())));
        spec.put("set", ValueTrees.mutableCopy(needed.getSet()));
        KubeObject wanted = KubeObject.of(Map.of("spec", spec));
        return Drift.find(wanted, KubeObject.of(codec.toTree(live)))
                .map(path -> "spec.dependencies: special resource "
                        + live.getMetadata().getName()
                        + " was not made by SRO and is used as it is, although its " + path + " differs");
    }

    private static boolean isOurs(SpecialResource child) {
        Map<String, String> labels = child.getMetadata().getLabels();
        return labels != null && "true".equals(labels.get(MetadataKeys.DEPENDENCY));
    }

    private static boolean isLeaving(SpecialResource child) {
        return child.getMetadata().getDeletionTimestamp() != null;
    }

    private static Outcome judge(SpecialResource child, Instant now) {
        String name = child.getMetadata().getName();
        if (isLeaving(child)) {
            return waiting(name, "is being deleted", now);
        }
        if (ResourcePrecedence.isUnmanaged(child)) {
            // Who takes it into their own hands answers for it.
            return Outcome.ready();
        }
        Condition ready = ready(child);
        boolean current = child.getStatus() != null
                && Objects.equals(
                        child.getStatus().getObservedGeneration(),
                        child.getMetadata().getGeneration());
        if (ready == null || !current) {
            return waiting(name, "has not been looked at yet", now);
        }
        if (Dependency.NODES_KEPT_OFF.equals(ready.getReason())) {
            return waiting(name, "serves no node yet: " + ready.getMessage(), now);
        }
        return "True".equals(ready.getStatus())
                ? Outcome.ready()
                : waiting(name, "is not ready (" + ready.getReason() + "): " + ready.getMessage(), now);
    }

    private static @Nullable Condition ready(SpecialResource child) {
        return child.getStatus() == null
                ? null
                : child.getStatus().getConditions().stream()
                        .filter(condition -> "Ready".equals(condition.getType()))
                        .findFirst()
                        .orElse(null);
    }

    private static Outcome waiting(String name, String what, Instant now) {
        return Outcome.waiting(Code.DEPENDENCY_NOT_READY.text(), now, "special resource " + name + " " + what);
    }

    private static ObjectRef ref(String name) {
        return new ObjectRef(SpecialResource.GROUP + "/" + SpecialResource.VERSION, SpecialResource.KIND, "", name);
    }

    /**
     * What goes with a special resource that is deleted, if its annotation says so: dependencies that SRO made and that nobody
     * else needs, with their uids.
     */
    public SortedMap<ObjectRef, String> leaving(SpecialResource resource) {
        Map<String, String> annotations = resource.getMetadata().getAnnotations();
        if (resource.getMetadata().getDeletionTimestamp() == null
                || annotations == null
                || !"true".equals(annotations.get(MetadataKeys.DELETE_DEPENDENCIES))) {
            return Collections.emptySortedMap();
        }
        SortedMap<ObjectRef, String> leaving = new TreeMap<>();
        for (String name : names(resource)) {
            reader.specialResource(name)
                    .filter(child -> isOurs(child) && !isLeaving(child))
                    .filter(child -> reader.specialResources().stream()
                            .noneMatch(other -> !ResourcePrecedence.isLeaving(other)
                                    && names(other).contains(name)))
                    .ifPresent(
                            child -> leaving.put(ref(name), child.getMetadata().getUid()));
        }
        return leaving;
    }
}
