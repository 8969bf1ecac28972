package dev.sro.core.client;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.resource.ModuleWatch;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceModule;
import dev.sro.api.resource.SpecialResourceModuleSpec;
import dev.sro.api.resource.SpecialResourceModuleStatus;
import dev.sro.core.apply.WriteException;
import dev.sro.core.engine.Controller;
import dev.sro.core.engine.Timers;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.module.ModuleDesires;
import dev.sro.core.module.ModuleReconciler;
import dev.sro.core.module.ModuleStore;
import dev.sro.core.module.Modules;
import dev.sro.core.module.VersionResolver;
import dev.sro.core.module.Watched;
import dev.sro.core.preflight.PreflightReconciler;
import dev.sro.core.recipe.ChartRecipes;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * The modules of a cluster: a watch of them and of what they watch, a queue of their own. An object that changes and says the same
 * as before asks for nothing. Thread-safe.
 */
final class ClientModules implements ModuleStore, AutoCloseable {

    static final String KIND = SpecialResource.GROUP + "/" + SpecialResource.VERSION + "/" + SpecialResourceModule.KIND;

    /** {@code plural.group}, as its definition is called. */
    static final String RESOURCE = "specialresourcemodules." + SpecialResource.GROUP;

    /** How {@link ModuleDesires} asks for charts. */
    private static final String ASKED_BY = "specialresourcemodule/";

    /**
     * What modules need.
     *
     * @param resolver finds out what versions are
     * @param executor runs reconciles; its tasks block
     * @param settings how registries are reached
     */
    record Means(
            ChartRecipes charts, VersionResolver resolver, Executor executor, PreflightReconciler.Settings settings) {}

    private record Key(String kind, String namespace, String name) {}

    /** What is seen of a watch. */
    private record Seen(KindWatch watch, Map<ObjectRef, KubeObject> objects) {}

    private final KubernetesClient client;
    private final Fabric8Codec codec;
    private final Informers informers;
    private final ClientWriter writer;
    private final Clock clock;
    private final Controller controller;
    private final KindWatch watch;
    private final ConcurrentHashMap<String, SpecialResourceModule> modules = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Key, Seen> watched = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, List<SortedSet<String>>> said = new ConcurrentHashMap<>();

    ClientModules(
            KubernetesClient client,
            Fabric8Codec codec,
            Informers informers,
            ClientWriter writer,
            Means means,
            Timers timers,
            Clock clock) {
        this.client = client;
        this.codec = codec;
        this.informers = informers;
        this.writer = writer;
        this.clock = clock;
        ClusterCaches caches = informers.caches();
        ModuleReconciler reconciler = new ModuleReconciler(
                this,
                caches,
                writer,
                caches,
                new ModuleDesires(this, caches, means.charts(), means.resolver(), means.settings(), codec),
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
        SpecialResourceModule before = modules.put(name, module);
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
        informers.claimed();
        informers.caches().requestAll();
    }

    /** Has all of them look again. */
    void requestAll() {
        modules.keySet().forEach(controller::request);
    }

    private void gone(SpecialResourceModule module) {
        String name = module.getMetadata().getName();
        modules.remove(name);
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
    boolean changed(String what) {
        if (what.startsWith(ASKED_BY)) {
            controller.request(what.substring(ASKED_BY.length()));
            return true;
        }
        if (!Modules.isLabel(what)) {
            return false;
        }
        modules.keySet().stream()
                .filter(name -> Modules.label(name).equals(what))
                .forEach(controller::request);
        return true;
    }

    /** See {@link KindWatch#check}. */
    void check(Duration silence) {
        watch.check(silence);
        watched.values().forEach(one -> one.watch().check(silence));
    }

    @Override
    public Optional<SpecialResourceModule> find(String name) {
        return Optional.ofNullable(modules.get(name));
    }

    @Override
    public Collection<SpecialResourceModule> all() {
        return modules.values();
    }

    @Override
    public Observed observed(ModuleWatch wanted) {
        Key key = key(wanted);
        Seen seen = watched.get(key);
        if (seen == null) {
            Optional<ResourceDefinitionContext> kind = informers.find(
                    new ObjectRef(wanted.getApiVersion(), wanted.getKind(), wanted.getNamespace(), wanted.getName()));
            if (kind.isEmpty()) {
                return new Observed(
                        List.of(),
                        Optional.of(Outcome.failed(Problem.platform(
                                "KindNotServed",
                                "spec.watch: the cluster does not serve " + key.kind()
                                        + "; install what provides it"))));
            }
            seen = watched.computeIfAbsent(key, unused -> open(key, kind.get()));
        }
        return new Observed(List.copyOf(seen.objects().values()), seen.watch().obstacle(clock.instant()));
    }

    private static Key key(ModuleWatch wanted) {
        return new Key(wanted.getApiVersion() + "/" + wanted.getKind(), wanted.getNamespace(), wanted.getName());
    }

    private Seen open(Key key, ResourceDefinitionContext kind) {
        Map<ObjectRef, KubeObject> objects = new ConcurrentHashMap<>();
        var all = client.genericKubernetesResources(kind);
        Informable<GenericKubernetesResource> some = key.namespace().isEmpty() || !kind.isNamespaceScoped()
                ? all.inAnyNamespace()
                : all.inNamespace(key.namespace());
        if (!key.name().isEmpty()) {
            some = (key.namespace().isEmpty() || !kind.isNamespaceScoped()
                            ? all.inAnyNamespace()
                            : all.inNamespace(key.namespace()))
                    .withField("metadata.name", key.name());
        }
        Informable<GenericKubernetesResource> watching = some;
        return new Seen(
                KindWatch.start(
                        key.kind(),
                        () -> watching.runnableInformer(0),
                        Informers::sameKind,
                        new KindWatch.Handlers<GenericKubernetesResource>(
                                object -> {
                                    KubeObject tree = KubeObject.of(codec.toTree(object));
                                    objects.put(tree.ref(), tree);
                                    heard(key);
                                },
                                object -> {
                                    objects.remove(
                                            KubeObject.of(codec.toTree(object)).ref());
                                    heard(key);
                                }),
                        () -> users(key).forEach(controller::request),
                        clock),
                objects);
    }

    private List<String> users(Key key) {
        List<String> users = new ArrayList<>();
        modules.forEach((name, module) -> {
            SpecialResourceModuleSpec spec = module.getSpec();
            if (spec != null
                    && spec.getWatch().stream().anyMatch(wanted -> key(wanted).equals(key))) {
                users.add(name);
            }
        });
        return users;
    }

    /** Asks for a reconcile of those modules for which the set of values is another one. */
    private void heard(Key key) {
        for (String name : users(key)) {
            SpecialResourceModule module = modules.get(name);
            SpecialResourceModuleSpec spec = module == null ? null : module.getSpec();
            if (spec == null) {
                continue;
            }
            List<SortedSet<String>> now = new ArrayList<>();
            for (ModuleWatch wanted : spec.getWatch()) {
                Seen seen = watched.get(key(wanted));
                now.add(Watched.values(
                        wanted, seen == null ? List.of() : seen.objects().values(), new ArrayList<>()));
            }
            if (!now.equals(said.put(name, now))) {
                controller.request(name);
            }
        }
    }

    @Override
    public void writeStatus(SpecialResourceModule module, SpecialResourceModuleStatus status) throws WriteException {
        writer.applyStatus(module, status);
    }

    @Override
    public void close() {
        controller.close();
        watch.close();
        new HashMap<>(watched).values().forEach(one -> one.watch().close());
    }
}
