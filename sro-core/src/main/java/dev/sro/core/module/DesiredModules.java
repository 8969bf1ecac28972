package dev.sro.core.module;

import dev.sro.api.NodeFacts;
import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.resource.ChartReference;
import dev.sro.api.resource.ModuleWatch;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceModule;
import dev.sro.api.resource.SpecialResourceModuleSpec;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.engine.port.Sight;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.image.RegistrySettings;
import dev.sro.core.manifest.AccountManifests;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.Renderer;
import dev.sro.core.model.Code;
import dev.sro.core.model.Codec;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.model.RecipeAccounts;
import dev.sro.core.preflight.PreflightReconciler;
import dev.sro.core.recipe.ChartRecipes;
import dev.sro.core.recipe.ModuleRecipe;
import dev.sro.core.recipe.RecipeFailure;
import dev.sro.core.recipe.source.ChartFetcher;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds out what shall exist of a module: what it watches, the versions that come of it, and the chart for each. Thread-safe. */
public final class DesiredModules {

    private static final Duration RETRY = Duration.ofMinutes(5);
    private static final Duration RETRY_WATCH = Duration.ofSeconds(30);
    private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    private final ModuleStore store;
    private final ClusterReader reader;
    private final ChartRecipes charts;
    private final Versions resolver;
    private final PreflightReconciler.Settings settings;
    private final Codec codec;
    private final Renderer renderer;
    private final RecipeAccounts accounts;

    /**
     * @param resolver finds out what versions are
     * @param settings how registries are reached
     * @param accounts by whose rights charts are applied
     */
    public DesiredModules(
            ModuleStore store,
            ClusterReader reader,
            ChartRecipes charts,
            VersionResolver resolver,
            PreflightReconciler.Settings settings,
            RecipeAccounts accounts,
            Codec codec) {
        this(store, reader, charts, (Versions) resolver, settings, accounts, codec);
    }

    /** For these versions, whatever is watched; asks no registry. */
    public DesiredModules(
            ModuleStore store, ClusterReader reader, ChartRecipes charts, AssumedVersions versions, Codec codec) {
        this(store, reader, charts, versions, pullSecret -> RegistrySettings.NONE, RecipeAccounts.NONE, codec);
    }

    private DesiredModules(
            ModuleStore store,
            ClusterReader reader,
            ChartRecipes charts,
            Versions resolver,
            PreflightReconciler.Settings settings,
            RecipeAccounts accounts,
            Codec codec) {
        this.accounts = accounts;
        this.store = store;
        this.reader = reader;
        this.charts = charts;
        this.resolver = resolver;
        this.settings = settings;
        this.codec = codec;
        this.renderer = new Renderer(codec, accounts);
    }

    /** By whose rights the chart of a module is applied; empty for SRO's own. */
    Optional<RecipeAccount> account(SpecialResource module) {
        return accounts.of(module);
    }

    /**
     * By whose rights what a module has is seen.
     *
     * @param known whether its chart is
     */
    Sight.Builder sight(SpecialResource module, boolean known) {
        return known ? Sight.of(module, accounts, true) : Sight.of(module, accounts);
    }

    DesiredModule of(SpecialResourceModule module, ModuleMemory memory, Instant now) {
        SpecialResourceModuleSpec spec = Modules.spec(module);
        List<Problem> problems = new ArrayList<>();
        if (!DNS_LABEL.matcher(Modules.namespace(module)).matches()) {
            problems.add(Problem.user(
                    "InvalidNamespace",
                    "spec.namespace: \"" + Modules.namespace(module)
                            + "\" is not a namespace name; set spec.namespace"));
        }
        accounts.refusal(Modules.asSpecialResource(module, memory.planned(), null))
                .ifPresent(problems::add);
        ChartReference reference = spec.getChart();
        if (reference == null) {
            problems.add(Problem.user("InvalidChartReference", "spec.chart: it is missing"));
            return DesiredModule.problems(problems, Optional.empty());
        }
        SortedSet<String> values = resolver.all().orElseGet(TreeSet::new);
        for (ModuleWatch watch : resolver.all().isPresent() ? List.<ModuleWatch>of() : spec.getWatch()) {
            if (isSecret(watch)) {
                problems.add(Problem.user(
                        "InvalidWatch",
                        "spec.watch: Secrets are not watched, as the versions that are found go into the status; put"
                                + " the version into a ConfigMap, and watch that"));
                continue;
            }
            ModuleStore.Observed observed = store.observed(watch);
            Outcome obstacle = observed.obstacle().orElse(null);
            if (obstacle instanceof Outcome.Failed failed) {
                problems.add(failed.problem());
            } else if (obstacle != null) {
                return DesiredModule.waiting(obstacle);
            }
            WatchedValues.values(watch, observed.objects(), problems)
                    .forEach(value -> values.add(WatchedValues.nameable(value)));
        }
        return charts.charts()
                .find(reference, askedBy(module.getMetadata().getName()))
                .map(
                        found -> problems.isEmpty()
                                ? desired(module, found, values, memory, now)
                                : problems(problems, now),
                        pending -> DesiredModule.waiting(
                                Outcome.waiting(Code.CHART_PENDING.text(), now, pending + " is being fetched")),
                        failed -> {
                            problems.add(failed);
                            return problems(problems, now);
                        });
    }

    private static boolean isSecret(ModuleWatch watch) {
        return watch.getKind().equals("Secret") && watch.getApiVersion().equals("v1");
    }

    private static DesiredModule problems(List<Problem> problems, Instant now) {
        return DesiredModule.problems(problems, Optional.of(now.plus(RETRY_WATCH)));
    }

    private static String askedBy(String module) {
        return "specialresourcemodule/" + module;
    }

    /** There is no such module any more. */
    void gone(String module) {
        charts.charts().gone(askedBy(module));
    }

    private DesiredModule desired(
            SpecialResourceModule module,
            ChartFetcher.Fetched chart,
            SortedSet<String> values,
            ModuleMemory memory,
            Instant now) {
        String architecture = architecture();
        resolve(Modules.spec(module), values, architecture, memory, now);
        Map<String, ModuleVersion> versions = new TreeMap<>();
        Map<String, String> names = new TreeMap<>();
        SortedMap<String, Problem> failed = new TreeMap<>();
        List<Pool> good = new ArrayList<>();
        List<Pool> all = new ArrayList<>();
        for (String value : values) {
            String name = VersionPools.name(value);
            names.put(name, value);
            ModuleVersion version = memory.known().get(value);
            if (version != null) {
                versions.put(name, version);
                Pool pool = VersionPools.create(version, architecture);
                good.add(pool);
                all.add(pool);
            } else {
                ModuleMemory.Failed why = memory.failed().get(value);
                failed.put(
                        name,
                        Problem.platform(
                                "VersionNotResolved",
                                value + ": " + (why == null ? "is not known yet" : why.message())));
                all.add(VersionPools.unknown(value, architecture));
            }
        }
        Comparator<Pool> byName = Comparator.comparing(Pool::name);
        good.sort(byName);
        all.sort(byName);
        ModuleMemory.Rendered rendered;
        try {
            rendered = rendered(module, chart, versions, good, memory);
        } catch (RecipeFailure e) {
            return DesiredModule.problems(List.of(e.problem()), Optional.of(now.plus(RETRY_WATCH)));
        }
        String owner = module.getMetadata().getName();
        List<DesiredState> states = withAccount(
                VersionPools.settled(rendered.states(), owner, failed),
                rendered.recipe().context().specialResource(),
                owner);
        Optional<Instant> retry = values.stream()
                .map(memory.failed()::get)
                .filter(Objects::nonNull)
                .map(ModuleMemory.Failed::retry)
                .min(Comparator.naturalOrder());
        return new DesiredModule(List.of(), rendered.recipe(), states, all, versions, names, Optional.empty(), retry);
    }

    /** After the account by whose rights the chart is applied, unless somebody else made one in the same namespace. */
    private List<DesiredState> withAccount(List<DesiredState> states, SpecialResource module, String owner) {
        Stream<String> names = Stream.concat(
                reader.specialResources().stream()
                        .map(other -> other.getMetadata().getName()),
                store.all().stream()
                        .map(other -> Modules.inventory(other.getMetadata().getName())));
        List<String> others = names.filter(
                        name -> !name.equals(module.getMetadata().getName()))
                .toList();
        return accounts.made(module)
                .filter(account -> others.stream()
                        .noneMatch(other -> reader.owned(other).containsKey(AccountManifests.ref(account))))
                .map(account -> VersionPools.owned(AccountManifests.before(states, module, account), owner))
                .orElse(states);
    }

    private ModuleMemory.Rendered rendered(
            SpecialResourceModule module,
            ChartFetcher.Fetched chart,
            Map<String, ModuleVersion> versions,
            List<Pool> pools,
            ModuleMemory memory) {
        List<Object> key = List.of(
                String.valueOf(module.getMetadata().getGeneration()),
                chart.chart(),
                Map.copyOf(versions),
                reader.cluster());
        ModuleMemory.Rendered known = memory.rendered();
        if (known != null && known.key().equals(key)) {
            return known;
        }
        Map<String, Map<String, Object>> values = new HashMap<>();
        versions.forEach((name, version) -> values.put(name, version.values()));
        String namespace = Modules.namespace(module);
        ModuleRecipe recipe = new ModuleRecipe(
                chart.chart(),
                new RecipeContext(Modules.asSpecialResource(module, memory.planned(), null), reader.cluster()),
                module.getMetadata().getName(),
                namespace,
                codec.toTree(module),
                values,
                charts.renderer());
        List<List<DesiredState>> renderings = new ArrayList<>();
        pools.forEach(pool -> renderings.add(renderer.render(recipe, namespace, List.of(pool))));
        if (renderings.isEmpty()) {
            renderings.add(renderer.render(recipe, namespace, List.of()));
        }
        ModuleMemory.Rendered fresh = new ModuleMemory.Rendered(key, recipe, VersionPools.merged(renderings));
        memory.rendered(fresh);
        return fresh;
    }

    private void resolve(
            SpecialResourceModuleSpec spec,
            SortedSet<String> values,
            String architecture,
            ModuleMemory memory,
            Instant now) {
        memory.known().keySet().retainAll(values);
        memory.failed().keySet().retainAll(values);
        RegistrySettings reached = null;
        for (String value : values) {
            ModuleMemory.Failed before = memory.failed().get(value);
            if (memory.known().containsKey(value) || (before != null && now.isBefore(before.retry()))) {
                continue;
            }
            try {
                reached = reached(reached, spec);
                memory.known().put(value, resolver.resolve(value, architecture, spec, reached));
                memory.failed().remove(value);
            } catch (IOException e) {
                memory.failed().put(value, new ModuleMemory.Failed(String.valueOf(e.getMessage()), now.plus(RETRY)));
            }
        }
    }

    private RegistrySettings reached(@Nullable RegistrySettings known, SpecialResourceModuleSpec spec)
            throws IOException {
        return known == null ? settings.read(spec.getPullSecret()) : known;
    }

    /** Builds run on the nodes of this cluster. */
    private String architecture() {
        return reader.nodes().stream()
                .map(ObservedNode::facts)
                .map(NodeFacts::architecture)
                .min(Comparator.naturalOrder())
                .orElse("amd64");
    }
}
