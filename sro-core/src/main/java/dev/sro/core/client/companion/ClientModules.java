package dev.sro.core.client.companion;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.resource.ModuleWatch;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceModule;
import dev.sro.api.resource.SpecialResourceModuleSpec;
import dev.sro.api.resource.SpecialResourceModuleStatus;
import dev.sro.core.apply.WriteException;
import dev.sro.core.client.cache.NamedCache;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.client.informer.Informers;
import dev.sro.core.client.router.ClusterCaches;
import dev.sro.core.client.watch.AskedWatches;
import dev.sro.core.client.watch.KindWatch;
import dev.sro.core.client.writer.ClientWriter;
import dev.sro.core.engine.Controller;
import dev.sro.core.engine.port.Timers;
import dev.sro.core.model.Code;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.RecipeAccounts;
import dev.sro.core.module.DesiredModules;
import dev.sro.core.module.ModuleReconciler;
import dev.sro.core.module.ModuleStore;
import dev.sro.core.module.Modules;
import dev.sro.core.module.VersionResolver;
import dev.sro.core.module.WatchedValues;
import dev.sro.core.preflight.PreflightReconciler;
import dev.sro.core.recipe.ChartRecipes;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Predicate;

/**
 * The modules of a cluster: a watch of them and of what they watch, a queue of their own. An object that changes and says the same
 * as before asks for nothing. Thread-safe.
 */
public final class ClientModules implements ModuleStore, AutoCloseable {

    public static final String KIND =
            SpecialResource.GROUP + "/" + SpecialResource.VERSION + "/" + SpecialResourceModule.KIND;

    /** {@code plural.group}, as its definition is called. */
    public static final String RESOURCE = "specialresourcemodules." + SpecialResource.GROUP;

    /** How {@link DesiredModules} asks for charts. */
    private static final String ASKED_BY = "specialresourcemodule/";

    /**
     * What modules need.
     *
     * @param resolver finds out what versions are
     * @param executor runs reconciles; its tasks block
     * @param settings how registries are reached
     * @param accounts by whose rights charts are applied
     * @param serves whether a module is looked after here
     */
    public record Services(
            ChartRecipes charts,
            VersionResolver resolver,
            Executor executor,
            PreflightReconciler.Settings settings,
            RecipeAccounts accounts,
            Predicate<HasMetadata> serves) {}

    private record Key(String kind, String namespace, String name) {}

    private final KubernetesClient client;
    private final Fabric8Codec codec;
    private final Informers informers;
    private final ClientWriter writer;
    private final Clock clock;
    private final Predicate<HasMetadata> serves;
    private final Controller controller;
    private final KindWatch watch;
    private final NamedCache<SpecialResourceModule> modules = new NamedCache<>();
    private final AskedWatches<Key, KubeObject> watched;
    private final ConcurrentHashMap<String, List<SortedSet<String>>> said = new ConcurrentHashMap<>();

    public ClientModules(
            KubernetesClient client,
            Fabric8Codec codec,
            Informers informers,
            ClientWriter writer,
            Services means,
            Timers timers,
            Clock clock) {
        this.client = client;
        this.codec = codec;
        this.informers = informers;
        this.writer = writer;
        this.clock = clock;
        this.serves = means.serves();
        this.watched = new AskedWatches<>(clock, timers, this::heard);
        ClusterCaches caches = informers.caches();
        ModuleReconciler reconciler = new ModuleReconciler(
                this,
                caches,
                writer,
                caches,
                new DesiredModules(
                        this, caches, means.charts(), means.resolver(), means.settings(), means.accounts(), codec),
                clock);
        this.controller = new Controller(reconciler::reconcile, means.executor(), timers, clock);
        this.watch = KindWatch.start(
                KIND,
                () -> client.resources(SpecialResourceModule.class).runnableInformer(0),
                unused -> new SpecialResourceModule(),
                new KindWatch.Handlers<>(this::seen, this::gone),
                this::requestAll,
                clock);
    }

    private void seen(SpecialResourceModule module) {
        String name = module.getMetadata().getName();
        if (!serves.test(module)) {
            if (modules.find(name).isPresent()) {
                gone(module);
            }
            return;
        }
        SpecialResourceModule before = modules.seen(module);
        if (before == null
                || !Objects.equals(
                        before.getMetadata().getGeneration(),
                        module.getMetadata().getGeneration())) {
            doubt();
        }
        controller.request(name);
    }

    /** Other kinds may be needed now: everybody says again which. */
    private void doubt() {
        watched.doubt();
        informers.claimed();
        informers.caches().requestAll();
    }

    /** Has all of them look again. */
    public void requestAll() {
        modules.names().forEach(controller::request);
    }

    private void gone(SpecialResourceModule module) {
        String name = module.getMetadata().getName();
        modules.gone(module);
        said.remove(name);
        doubt();
        controller.request(name);
    }

    /**
     * Something changed.
     *
     * @param what label of objects of a module, or who asked for a chart
     * @return whether it was about a module
     */
    public boolean changed(String what) {
        if (what.startsWith(ASKED_BY)) {
            controller.request(what.substring(ASKED_BY.length()));
            return true;
        }
        if (!Modules.isLabel(what)) {
            return false;
        }
        modules.names().stream()
                .filter(name -> Modules.label(name).equals(what))
                .forEach(controller::request);
        return true;
    }

    /** See {@link KindWatch#check}. */
    public void check(Duration silence) {
        watch.check(silence);
        watched.check(silence);
    }

    @Override
    public Optional<SpecialResourceModule> find(String name) {
        return modules.find(name);
    }

    @Override
    public Collection<SpecialResourceModule> all() {
        return modules.all();
    }

    @Override
    public Observed observed(ModuleWatch wanted) {
        Key key = key(wanted);
        Optional<AskedWatches.Shelf<KubeObject>> open = watched.known(key);
        if (open.isEmpty()) {
            Optional<ResourceDefinitionContext> kind = informers.find(
                    new ObjectRef(wanted.getApiVersion(), wanted.getKind(), wanted.getNamespace(), wanted.getName()));
            if (kind.isEmpty()) {
                return new Observed(
                        List.of(),
                        Optional.of(Outcome.failed(Problem.platform(
                                Code.KIND_NOT_SERVED.text(),
                                "spec.watch: the cluster does not serve " + key.kind()
                                        + "; install what provides it"))));
            }
            open = Optional.of(open(key, kind.get()));
        }
        return new Observed(open.get().sorted(), open.get().watch().obstacle(clock.instant()));
    }

    private static Key key(ModuleWatch wanted) {
        return new Key(wanted.getApiVersion() + "/" + wanted.getKind(), wanted.getNamespace(), wanted.getName());
    }

    private AskedWatches.Shelf<KubeObject> open(Key key, ResourceDefinitionContext kind) {
        return watched.ask(
                key,
                key.kind(),
                () -> objects(key, kind),
                KindWatch::sameKind,
                object -> KubeObject.of(codec.toTree(object)));
    }

    private Informable<GenericKubernetesResource> objects(Key key, ResourceDefinitionContext kind) {
        var all = client.genericKubernetesResources(kind);
        var some = key.namespace().isEmpty() || !kind.isNamespaceScoped()
                ? all.inAnyNamespace()
                : all.inNamespace(key.namespace());
        return key.name().isEmpty() ? some : some.withField("metadata.name", key.name());
    }

    private List<String> users(Key key) {
        List<String> users = new ArrayList<>();
        for (SpecialResourceModule module : modules.all()) {
            SpecialResourceModuleSpec spec = module.getSpec();
            if (spec != null
                    && spec.getWatch().stream().anyMatch(wanted -> key(wanted).equals(key))) {
                users.add(module.getMetadata().getName());
            }
        }
        return users;
    }

    /** Asks for a reconcile of those modules for which the set of values is another one. */
    private void heard(Key key) {
        for (String name : users(key)) {
            SpecialResourceModuleSpec spec =
                    modules.find(name).map(SpecialResourceModule::getSpec).orElse(null);
            if (spec == null) {
                continue;
            }
            List<SortedSet<String>> now = new ArrayList<>();
            for (ModuleWatch wanted : spec.getWatch()) {
                now.add(WatchedValues.values(
                        wanted,
                        watched.known(key(wanted))
                                .map(AskedWatches.Shelf::sorted)
                                .orElse(List.of()),
                        new ArrayList<>()));
            }
            if (!now.equals(said.put(name, now))) {
                controller.request(name);
            }
        }
    }

    @Override
    public void writeStatus(SpecialResourceModule module, SpecialResourceModuleStatus status) throws WriteException {
        modules.answered(writer.applyStatus(module, status, SpecialResourceModule.class));
    }

    @Override
    public void close() {
        controller.close();
        watch.close();
        watched.close();
    }
}
