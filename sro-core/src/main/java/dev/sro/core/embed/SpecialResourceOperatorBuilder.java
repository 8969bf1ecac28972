package dev.sro.core.embed;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.Checks;
import dev.sro.core.client.OperatorAdjustment;
import dev.sro.core.client.OperatorScope;
import dev.sro.core.client.rights.Grant;
import dev.sro.core.client.source.ClusterRegistries;
import dev.sro.core.lookup.MonotonicClock;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.model.LabelSelector;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.model.RecipeAccounts;
import dev.sro.core.outgoing.OutgoingRules;
import dev.sro.core.plugin.PluginHost;
import dev.sro.core.plugin.PluginHostConfig;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.chart.HelmRendererConfig;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link SpecialResourceOperator}. Only the client is required; everything that {@code sro operator} does by itself is on.
 * Bad options are refused where they are set, with an {@link IllegalArgumentException} that names option, value and fix. Not
 * thread-safe.
 */
public final class SpecialResourceOperatorBuilder {

    private static final int WORKERS = 4;

    /** Enough to use up 100 requests a second where the API server takes 160 ms for an answer. */
    private static final int WRITES_AT_ONCE = 16;

    private @Nullable KubernetesClient client;
    private @Nullable KubernetesClient leaseClient;
    private Supplier<Plugins> plugins =
            () -> Plugins.fromServiceLoader(SpecialResourceOperatorBuilder.class.getClassLoader());
    private boolean opensPlugins;
    private @Nullable String namespace;
    private @Nullable OperatorExecutors executors;
    private @Nullable OperatorTimers timers;
    private int workers = WORKERS;
    private boolean patient;
    private final Set<OperatorPart> without = EnumSet.noneOf(OperatorPart.class);

    LabelSelector selector = LabelSelector.parse("serves", "");
    String fieldManager = MetadataKeys.FIELD_MANAGER;
    Optional<OperatorLease> lease = Optional.empty();
    int writesAtOnce = WRITES_AT_ONCE;
    Clock clock = MonotonicClock.system();
    OperatorTimes times = OperatorTimes.DEFAULTS;
    ImageMirrors imageMirrors = ImageMirrors.NONE;
    Path registriesConf = ClusterRegistries.REGISTRIES_CONF;
    Optional<String> runtimeImage = Optional.empty();
    RecipeAccounts accounts = new RecipeAccounts(RecipeAccount.DEFAULT);
    HelmRendererConfig helm = HelmRendererConfig.DEFAULT;
    OutgoingRules outgoing = OutgoingRules.DEFAULT;
    ReconcileListener listener = report -> {};
    Optional<Consumer<String>> requests = Optional.empty();
    final List<OperatorAdjustment> adjustments = new ArrayList<>();

    SpecialResourceOperatorBuilder() {}

    /** The client. Required; not closed. Its requests are not limited in their rate, unless it does that itself. */
    public SpecialResourceOperatorBuilder client(KubernetesClient client) {
        this.client = client;
        return this;
    }

    /**
     * Another client for the lease, where the first one may be held up: by a limit of its rate, for example. Not closed. The same unless
     * set.
     */
    public SpecialResourceOperatorBuilder leaseClient(KubernetesClient client) {
        this.leaseClient = client;
        return this;
    }

    /**
     * These plugins.
     *
     * @throws IllegalArgumentException if two have the same name
     */
    public SpecialResourceOperatorBuilder plugins(AcceleratorPlugin... given) {
        Plugins made = Plugins.of(given);
        this.opensPlugins = false;
        this.plugins = () -> made;
        return this;
    }

    /** Those that {@link java.util.ServiceLoader} finds from this class loader; from that of SRO unless set. */
    public SpecialResourceOperatorBuilder plugins(ClassLoader loader) {
        this.opensPlugins = false;
        this.plugins = () -> Plugins.fromServiceLoader(loader);
        return this;
    }

    /**
     * Those of a folder of jars, each in a class loader of its own. Loaded at the start; jars that are no plugins are logged, and in {@link
     * SpecialResourceOperator#rejectedPlugins}.
     */
    public SpecialResourceOperatorBuilder pluginFolder(Path folder) {
        this.opensPlugins = true;
        this.plugins = () ->
                PluginHost.open(PluginHostConfig.builder().directory(folder).build());
        return this;
    }

    /** Those that are loaded already. Internal: for SRO's own commands; a host of plugins is closed with the operator. */
    public SpecialResourceOperatorBuilder loaded(Plugins given) {
        this.opensPlugins = false;
        this.plugins = () -> given;
        return this;
    }

    /**
     * A selector of the special resources, preflights and modules that are looked after: those whose labels match; all unless set. The
     * others are seen, as they have nodes and are depended on, and nothing of theirs is touched. One that does not match any more is left
     * as it is, for whoever serves it from then on. Special resources that are made for {@code spec.dependencies} get the labels that the
     * selector looks at.
     *
     * @param labelSelector as for kubectl: {@code example.com/operator=mine}, {@code !example.com/operator}
     * @throws IllegalArgumentException if it is no selector
     */
    public SpecialResourceOperatorBuilder serves(String labelSelector) {
        this.selector = LabelSelector.parse("serves", labelSelector);
        return this;
    }

    /**
     * By whose name objects, statuses, finalizers and events are written; {@code sro} unless set. One name for the whole life of an
     * installation: what was applied by another name stays on objects until that lets go of it. Labels, annotations and taints of nodes
     * are held by special resource ({@code sro.NAME}), whoever serves it.
     *
     * @throws IllegalArgumentException if it is empty, too long (over 115 characters), has blanks, or begins with {@code sro.}
     */
    public SpecialResourceOperatorBuilder fieldManager(String name) {
        new OperatorScope(selector, name, () -> true);
        this.fieldManager = name;
        return this;
    }

    /**
     * The operator's own namespace: its lease is there, and pods in it are never changed. Unless set, the lease is in that of the client,
     * and no namespace is exempt.
     */
    public SpecialResourceOperatorBuilder namespace(String own) {
        Checks.dnsLabel("namespace", own);
        this.namespace = own;
        return this;
    }

    /** Takes part in the election of a leader; unless set, there is no other replica. */
    public SpecialResourceOperatorBuilder lease(OperatorLease lease) {
        this.lease = Optional.of(lease);
        return this;
    }

    /** Runs on these threads, which are not shut down. On daemon threads of its own unless set, which end with it. */
    public SpecialResourceOperatorBuilder executors(OperatorExecutors given) {
        this.executors = given;
        return this;
    }

    /** The number of reconciles that run at once on threads of the operator's own; 4 unless set. */
    public SpecialResourceOperatorBuilder workers(int atOnce) {
        this.workers = atLeastOne("workers", atOnce);
        return this;
    }

    /**
     * The number of writes to different nodes, pods and pools that one special resource makes at once; 16 unless set, 1 for one after the
     * other.
     */
    public SpecialResourceOperatorBuilder writesAtOnce(int atOnce) {
        this.writesAtOnce = atLeastOne("writesAtOnce", atOnce);
        return this;
    }

    /** Wakes up threads of the operator's own; a thread of its own does unless set. */
    public SpecialResourceOperatorBuilder timers(OperatorTimers given) {
        this.timers = given;
        return this;
    }

    private static int atLeastOne(String option, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(option + " " + value + " must be at least 1");
        }
        return value;
    }

    /** The time, which must never go back; the system's, made so, unless set. Not that of the lease, which counts nanoseconds. */
    public SpecialResourceOperatorBuilder clock(Clock given) {
        this.clock = given;
        return this;
    }

    /** For how long it is patient. */
    public SpecialResourceOperatorBuilder times(OperatorTimes given) {
        this.times = given;
        return this;
    }

    /**
     * From where images are pulled instead, unless a special resource says otherwise.
     *
     * @param mirrors prefixes: {@code quay.io/acme=mirror.example.com/acme,…}
     * @throws IllegalArgumentException if they are none
     */
    public SpecialResourceOperatorBuilder imageMirrors(String mirrors) {
        this.imageMirrors = ImageMirrors.parse(mirrors);
        return this;
    }

    /**
     * The file with the mirrors of the registries that are looked into, which need not be there; {@code /etc/containers/registries.conf}
     * unless set.
     */
    public SpecialResourceOperatorBuilder registriesConf(Path file) {
        this.registriesConf = file;
        return this;
    }

    /** The image whose shell puts files for container runtimes onto nodes, unless a plugin names another one. */
    public SpecialResourceOperatorBuilder runtimeImage(String image) {
        Checks.image("runtimeImage", image);
        this.runtimeImage = Optional.of(image);
        return this;
    }

    /**
     * The command {@code helm}, version 3, that renders charts. Unless set, Helm's library does, out of helm-java, and where that has none
     * for the machine the {@code helm} of PATH.
     */
    public SpecialResourceOperatorBuilder helmCommand(Path helm) {
        this.helm = HelmRendererConfig.DEFAULT.withCommand(helm);
        return this;
    }

    /**
     * By whose rights charts, and numbered manifests, are applied and deleted: those of the ServiceAccount of this name in the namespace of
     * the operands, which the operator makes and binds to the ClusterRole {@code special-resource-operator-recipes}; {@code sro-recipe}
     * unless set. Special resources that name an account ({@code spec.serviceAccountName}) have theirs. What plugins bring is applied by
     * the operator's own rights.
     *
     * @param name empty for the operator's own rights: whoever may write a recipe then acts with them. For clusters with one administrator
     * @throws IllegalArgumentException if it is no name of a ServiceAccount
     */
    public SpecialResourceOperatorBuilder recipeAccount(String name) {
        if (!name.isEmpty()) {
            Checks.dnsLabel("recipeAccount", name);
        }
        this.accounts = new RecipeAccounts(name);
        return this;
    }

    /**
     * The servers that may be asked for charts, images, tokens and graphs of versions; all but those of this machine, its link and the
     * metadata of clouds unless set. Proxies are those of the environment ({@code HTTPS_PROXY}, {@code HTTP_PROXY}, {@code NO_PROXY}), and
     * where that names none those of OpenShift's {@code Proxy}.
     *
     * @param servers {@code *}, names, domains and networks: {@code registry.example.com,*.corp.example,10.0.0.0/8}
     * @throws IllegalArgumentException if it is no such list
     */
    public SpecialResourceOperatorBuilder outgoing(String servers) {
        this.outgoing = OutgoingRules.parse("outgoing", servers);
        return this;
    }

    /** Is told of each reconcile: for metrics. Nobody is unless set. */
    public SpecialResourceOperatorBuilder listener(ReconcileListener given) {
        this.listener = given;
        return this;
    }

    /** Leaves parts out; each is logged at the start, with what that means. */
    public SpecialResourceOperatorBuilder without(OperatorPart... parts) {
        Collections.addAll(without, parts);
        return this;
    }

    /**
     * Reconciles are the application's, from a queue of its own, as JOSDK, Quarkus and Spring have one: it is told whose is due, and calls
     * {@link SpecialResourceOperator#reconcile}. Informers, look-ups, builds and all else stay the operator's.
     *
     * @param due told the name of a special resource that is to be reconciled; must not block
     */
    public SpecialResourceOperatorBuilder driven(Consumer<String> due) {
        this.requests = Optional.of(due);
        return this;
    }

    /**
     * {@link #start} does not wait for the API server: what cannot be started is tried again every two seconds. So it is with a lease
     * anyway.
     */
    public SpecialResourceOperatorBuilder inBackground() {
        this.patient = true;
        return this;
    }

    /** Sets what no option sets. Internal: for SRO's own commands and its test kit. */
    public SpecialResourceOperatorBuilder adjust(OperatorAdjustment adjustment) {
        adjustments.add(adjustment);
        return this;
    }

    /** The rights that it needs at the API server, with these options and plugins; loads them, and starts nothing. */
    public OperatorRights rights() {
        Plugins loaded = plugins.get();
        try {
            return rights(loaded);
        } finally {
            if (opensPlugins && loaded instanceof PluginHost host) {
                host.close();
            }
        }
    }

    OperatorRights rights(Plugins loaded) {
        return new OperatorRights(Grant.all(
                namespace(client),
                lease.map(OperatorLease::name),
                loaded.names().stream()
                        .flatMap(name -> loaded.find(name).stream())
                        .toList(),
                Grant.Further.NOTHING,
                accounts.standard()));
    }

    /**
     * Starts it. Without a lease it runs when this returns, and its caches fill; with one it takes part in the election from then on.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server does not answer, or the definition of special
     *     resources may not be read; not with a lease, and not {@link #inBackground}
     * @throws NullPointerException without a client
     */
    public SpecialResourceOperator start() {
        KubernetesClient using = Objects.requireNonNull(client, "client: set the one of the cluster");
        OperatorExecutors given = executors;
        OperatorThreads threads =
                given == null ? OperatorThreads.own(workers, writesAtOnce, timers) : OperatorThreads.of(given);
        SpecialResourceOperator operator = new SpecialResourceOperator(this, using, plugins.get(), threads);
        try {
            operator.begin(patient || lease.isPresent());
        } catch (RuntimeException | Error e) {
            operator.close();
            throw e;
        }
        return operator;
    }

    boolean has(OperatorPart part) {
        boolean possible = part != OperatorPart.PLUGIN_DEADLINES
                || executors == null
                || executors.pluginCalls().isPresent();
        return possible && !without.contains(part);
    }

    Set<OperatorPart> leftOut() {
        Set<OperatorPart> left = EnumSet.allOf(OperatorPart.class);
        left.removeIf(this::has);
        return left;
    }

    String namespace(@Nullable KubernetesClient using) {
        String own = namespace;
        if (own == null && using != null) {
            own = using.getNamespace();
        }
        return own == null || own.isEmpty() ? "default" : own;
    }

    List<String> ownNamespaces() {
        return namespace == null ? List.of() : List.of(namespace);
    }

    KubernetesClient clientOfLease(KubernetesClient other) {
        return leaseClient == null ? other : leaseClient;
    }
}
