package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The in-process API server: requests in, answers out, without sockets. {@link #handle} answers everything but watches,
 * {@link #watch} opens a watch. Thread-safe; starts no thread of its own.
 */
public final class ApiServer {
    /** An open watch. */
    public interface Watch extends AutoCloseable {
        /** Sends a bookmark, if the client wants bookmarks. */
        void bookmark();

        /** The media type of the stream. */
        String contentType();

        /** The client goes away: nothing more is sent. */
        @Override
        void close();
    }

    private final ServerParts parts;
    private final OpenWatches watches;
    private final ResourceVerbs verbs;
    private final Routes routes;
    private final Discovery discovery;
    private final Recording recording = new Recording();
    private final Faults faults;
    private final LocalClusterApi api;
    private volatile Runnable afterRequest = () -> {};

    private ApiServer(VirtualClock clock, ResourceRegistry registry, long seed, int window) {
        this.parts = new ServerParts(clock, registry, seed, window);
        this.watches = new OpenWatches(parts.store);
        this.verbs = new ResourceVerbs(parts);
        this.routes = new Routes(parts, verbs);
        this.discovery = new Discovery(registry);
        this.faults = new Faults(clock, seed);
        this.api = new LocalClusterApi(parts, "kube-controller-manager");
    }

    /**
     * Makes a server with the built-in types and no object but the namespaces of the system.
     *
     * @param openShift whether it serves the OpenShift types too
     * @param seed of uids, generated names and random faults
     * @param historyWindow how many events per type a watch can go back
     */
    public static ApiServer create(VirtualClock clock, boolean openShift, long seed, int historyWindow) {
        ResourceRegistry registry = ResourceRegistry.kubernetes();
        if (openShift) {
            registry.withOpenShift();
        }
        return new ApiServer(clock, registry, seed, historyWindow);
    }

    /** Does not serve a built-in type. To be called before the first request. */
    public void withdraw(String apiVersion, String kind) {
        parts.registry.find(apiVersion, kind).ifPresent(type -> parts.registry.remove(type.gvr()));
    }

    /** Direct access to the objects. */
    public ClusterApi api() {
        return api;
    }

    /** Which requests came. */
    public Recording recording() {
        return recording;
    }

    /** Which requests fail. */
    public Faults faults() {
        return faults;
    }

    /** Sets where the webhooks of Services listen. Default: nowhere. */
    public void webhookServices(WebhookServices services) {
        parts.webhooks.services(services);
    }

    /**
     * Sets how long a namespace that is deleted stays as it is before it is emptied. A real server waits five seconds. Default:
     * nothing, so that tests need not wait.
     */
    public void namespaceGrace(Duration time) {
        parts.namespaceGrace = time;
    }

    /** Answers reads of logs by what this controller knows. */
    public void logsFrom(Controller controller) {
        parts.printers.add(controller);
    }

    ServerParts parts() {
        return parts;
    }

    /** Sets what runs after each request, outside of the store's lock. */
    public void afterRequests(Runnable hook) {
        afterRequest = hook;
    }

    /** Runs something later on the cluster's clock. */
    public VirtualClock.Timer after(Duration delay, Runnable work) {
        return parts.clock.after(delay, work);
    }

    /** Makes the namespaces that every cluster has; does nothing for those that are there. */
    public void createSystemNamespaces() {
        for (String name : List.of("default", "kube-node-lease", "kube-public", "kube-system")) {
            if (api.get(Gvr.NAMESPACES, null, name).isEmpty()) {
                ObjectNode namespace = Json.object();
                namespace.putObject("metadata").put("name", name);
                api.as("kube-apiserver").create(Gvr.NAMESPACES, namespace);
            }
        }
    }

    /**
     * The controllers that belong to every API server: garbage collection, namespaces, custom resource definitions, quotas, roles of
     * roles. */
    public List<Controller> controllers() {
        List<Controller> controllers = new ArrayList<>();
        controllers.add(new CrdController(parts, api));
        controllers.add(new NamespaceController(parts, api));
        controllers.add(new GarbageCollector(parts));
        controllers.add(new StorageProtection(api, parts.clock));
        controllers.add(new QuotaController(parts, api));
        controllers.add(new RoleAggregation(api, parts.clock));
        return controllers;
    }

    /** Whether a request opens a watch: of a collection, or in the old form. One object is not watched by its path. */
    public static boolean isWatch(ApiRequest request) {
        if (!request.method().equals("GET") || !request.isWatch()) {
            return false;
        }
        RequestPath path = RequestPath.parse(request.path());
        return LegacyWatch.is(request.path()) || path == null || path.name().isEmpty();
    }

    /** Answers a request that is no watch. Never throws for what a client does wrong. */
    public ApiResponse handle(ApiRequest request) {
        RequestPath path = RequestPath.parse(request.path());
        String verb = Verb.derive(request, path);
        Faults.Verdict verdict = faults.judge(verb, path, request);
        ApiResponse answer;
        if (verdict.answer() != null) {
            answer = verdict.answer();
        } else {
            answer = Accepted.inForm(request, answer(request, path));
        }
        recording.note(parts.clock, request, verb, path, verdict.loseAnswer() ? 0 : answer.status());
        afterRequest.run();
        if (verdict.loseAnswer()) {
            throw new LostAnswerException(verb + " " + request.path());
        }
        return answer;
    }

    private ApiResponse answer(ApiRequest sent, @Nullable RequestPath path) {
        try {
            String verb = Verb.derive(sent, path);
            ApiRequest request = parts.authentication.identified(sent, path, verb);
            parts.authorizer.check(request, path, verb);
            if (path == null && request.path().startsWith("/api/")) {
                throw Errors.noSuchResource();
            }
            if (path == null || path.gvr().plural().isEmpty()) {
                return discovery.answer(request);
            }
            return routes.answer(request, path);
        } catch (ApiException e) {
            return ApiResponse.error(e);
        } catch (NoSuchPathException e) {
            return ApiResponse.text(404, "404 page not found\n");
        }
    }

    /**
     * Opens a watch. Events that are there already (from a resourceVersion, or the initial state) are in the sink before this
     * returns.
     *
     * @throws ApiException if the request is refused
     */
    public Watch watch(ApiRequest request, WatchSink sink) {
        RequestPath path = RequestPath.parse(request.path());
        Faults.Verdict verdict = faults.judge("watch", path, request);
        ApiResponse refused = verdict.answer();
        try {
            if (refused != null) {
                throw new ApiException(
                        refused.status(),
                        refused.json().path("reason").asText(),
                        refused.json().path("message").asText());
            }
            Watch watch = open(request, path, sink);
            recording.note(parts.clock, request, "watch", path, 200);
            return watch;
        } catch (ApiException e) {
            recording.note(parts.clock, request, "watch", path, e.code());
            throw e;
        }
    }

    private Watch open(ApiRequest sent, @Nullable RequestPath path, WatchSink sink) {
        ApiRequest request = parts.authentication.identified(sent, path, "watch");
        parts.authorizer.check(request, path, "watch");
        if (path == null || path.gvr().plural().isEmpty() || !path.subresource().isEmpty()) {
            throw Errors.noSuchResource();
        }
        ResourceType type = parts.registry.find(path.gvr()).orElseThrow(Errors::noSuchResource);
        if (!type.custom()) {
            Accepted.check(request, true);
        }
        Function<Stored, byte[]> form = parts.answers.form(request, type);
        ListOptions options = ListOptions.of(request);
        // The old form says by its path that it is a watch, and its options are looked at as those of a list.
        options = LegacyWatch.is(request.path()) ? options.checkedForList() : options.checkedForWatch();
        Watcher.Filter filter = verbs.filter(options, type, path.namespace(), path.name());
        Answers.checkStream(request, type);
        Watcher watcher = new Watcher(type, filter, options.allowWatchBookmarks(), form, sink);
        String from = options.resourceVersion();
        long version = from.isEmpty() ? 0 : Versions.parse(from);
        Boolean initial = options.sendInitialEvents();
        return parts.store.locked(() -> start(watcher, version, initial));
    }

    private Watch start(Watcher watcher, long version, @Nullable Boolean initial) {
        Table table = parts.store.table(watcher.type().storage());
        if (Boolean.FALSE.equals(initial) && version == 0) {
            // From now on: nothing is missed.
            table.watchers.add(watcher);
            return new OpenWatch(watcher, table);
        }
        if (version == 0 || Boolean.TRUE.equals(initial)) {
            watcher.sendInitial(table.in(watcher.namespace()));
            if (initial != null) {
                watcher.bookmark(parts.store.version(), true);
            }
        } else {
            List<StoreEvent> missed = table.since(version);
            if (missed == null) {
                watcher.error(Errors.expired("too old resource version: " + version + " (" + table.oldest() + ")"));
                watcher.end();
                return new OpenWatch(watcher, table);
            }
            missed.forEach(watcher::offer);
        }
        table.watchers.add(watcher);
        return new OpenWatch(watcher, table);
    }

    private final class OpenWatch implements Watch {
        private final Watcher watcher;
        private final Table table;

        OpenWatch(Watcher watcher, Table table) {
            this.watcher = watcher;
            this.table = table;
        }

        @Override
        public void bookmark() {
            parts.store.locked(() -> {
                watcher.bookmark(parts.store.version(), false);
                return true;
            });
        }

        @Override
        public String contentType() {
            return ApiResponse.JSON;
        }

        @Override
        public void close() {
            parts.store.locked(() -> {
                watcher.abandon();
                return table.watchers.remove(watcher);
            });
        }
    }

    /** How many watches of a type (null: of all types) are open. */
    public int openWatches(@Nullable Gvr type) {
        return watches.open(type);
    }

    /** How many watches are open, by the group-qualified plural of their type; sorted. */
    public SortedMap<String, Integer> openWatchesByType() {
        return watches.openByType();
    }

    /** Ends all watches of a type (null: of all types), as a server does that restarts. */
    public void dropWatches(@Nullable Gvr type) {
        watches.end(type);
    }

    /** Leaves the watches of a type (null: of all types) open and sends nothing more, as a connection does that died unseen. */
    public void silenceWatches(@Nullable Gvr type) {
        watches.silence(type);
    }

    /** Forgets the history of a type (null: of all types): a watch from an older version gets 410. */
    public void forgetHistory(@Nullable Gvr type) {
        watches.forgetHistory(type);
    }
}
