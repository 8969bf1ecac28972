package dev.sro.agent.plugin;

import dev.sro.agent.cdi.ClaimSpecs;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.kubelet.DevicePluginSocket;
import dev.sro.agent.kubelet.PluginDevice;
import dev.sro.agent.kubelet.PluginHandler;
import dev.sro.agent.kubelet.PluginSocket;
import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.Holding;
import dev.sro.agent.slice.SliceException;
import dev.sro.agent.slice.SliceKeeper;
import dev.sro.core.das.AllocationClaim;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Offers slices by device plugins, one for each profile, and makes those that kubelet gives. Kubelet gives a device when it admits a pod, which is checked and
 * remembered and takes no time; it asks again before each start of a container, and then the slice is made, or is there. Kubelet never says that a device
 * came back: {@link #look} asks who has what. Thread-safe.
 */
public final class DevicePlugins implements AutoCloseable {
    /** Longer than kubelet takes from giving a device to telling of it. */
    private static final Duration GRACE = Duration.ofMinutes(1);

    private static final Optional<String> NOT_ASKED = Optional.of("what pods have is not known yet");

    private final BiFunction<String, PluginHandler, PluginSocket> opener;
    private final UnaryOperator<String> resource;
    private final SliceKeeper keeper;
    private final PluginReader reader;
    private final PluginExposure exposure;
    private final KubeletUse use;
    private final PromisedPlaces promises;
    private final PromiseKeeper promiseKeeper;
    private final ExecutorService executor;
    private final Clock clock;
    private final Consumer<String> log;

    /** One look at a time. */
    private final ReentrantLock looking = new ReentrantLock();
    /** Of what is given away; held for as long as hardware is read. */
    private final ReentrantLock giving = new ReentrantLock();

    private final Map<String, Instant> reserved = new TreeMap<>();
    private final Map<String, PluginSocket> sockets = new TreeMap<>();
    private final Set<String> said = new HashSet<>();
    private volatile Map<String, String> used = Map.of();
    private volatile Optional<String> unknown = NOT_ASKED;
    private volatile List<AllocationClaim> promised = List.of();
    private volatile boolean promisesUnknown;
    private volatile Map<String, Integer> order = Map.of();

    /**
     * Serves nothing yet: {@link #look} does, and is called every few seconds.
     *
     * @param kubelet its directory
     * @param resource the resource of a profile
     * @param executor its threads make slices, so there have to be several; not closed here
     * @param log takes a sentence at a time
     */
    public DevicePlugins(
            Path kubelet,
            UnaryOperator<String> resource,
            SliceKeeper keeper,
            PluginHardware hardware,
            KubeletUse use,
            PromisedPlaces promises,
            ExecutorService executor,
            Clock clock,
            Consumer<String> log) {
        this(
                (name, handler) -> new DevicePluginSocket(kubelet, name, handler, executor),
                resource,
                keeper,
                hardware,
                use,
                promises,
                executor,
                clock,
                log);
    }

    /**
     * As the other one, without a directory.
     *
     * @param opener of the device plugin of a resource
     */
    public DevicePlugins(
            BiFunction<String, PluginHandler, PluginSocket> opener,
            UnaryOperator<String> resource,
            SliceKeeper keeper,
            PluginHardware hardware,
            KubeletUse use,
            PromisedPlaces promises,
            ExecutorService executor,
            Clock clock,
            Consumer<String> log) {
        this.opener = opener;
        this.resource = resource;
        this.keeper = keeper;
        this.exposure = hardware.exposure();
        reader = new PluginReader(hardware.devices(), keeper, hardware.catalogue(), exposure);
        this.use = use;
        this.promises = promises;
        promiseKeeper = new PromiseKeeper(promises, this::destroyForeign, clock);
        this.executor = executor;
        this.clock = clock;
        this.log = log;
    }

    /** Takes back what no pod has any more, and tells kubelet what there is. */
    public void look() {
        looking.lock();
        try {
            List<Holding> held = held();
            if (!exposure.offered() && held.isEmpty() && sockets.isEmpty()) {
                unknown = NOT_ASKED;
                promised = List.of();
                tell(List.of());
                return;
            }
            ask();
            settle();
            tell(serve());
        } catch (DeviceException e) {
            sayOnce("device plugins: " + e.getMessage());
        } finally {
            looking.unlock();
        }
    }

    /** Pods that have slices by device plugins, by device. */
    public Map<String, String> used() {
        return used;
    }

    /** What is held for device plugins. */
    public List<Holding> held() {
        return keeper.holdings().stream()
                .filter(holding -> holding.claim().isOfPlugin())
                .toList();
    }

    private void ask() {
        try {
            used = use.devices();
            unknown = Optional.empty();
        } catch (IOException e) {
            unknown = Optional.of("what pods have is not known: " + e.getMessage());
            sayOnce("device plugins: " + unknown.get());
        }
        try {
            promised = promises.claims();
            promisesUnknown = false;
        } catch (IOException e) {
            promisesUnknown = true;
            sayOnce("device plugins: promises to pods are not known: " + e.getMessage());
        }
    }

    /** Only what both kubelet and the API server have nobody for goes. */
    private void settle() {
        if (unknown.isPresent()) {
            return;
        }
        Instant now = clock.instant();
        Map<String, String> resources = new TreeMap<>();
        giving.lock();
        try {
            reserved.keySet().removeIf(used::containsKey);
            reserved.forEach((id, since) -> {
                if (!now.isBefore(since.plus(GRACE))) {
                    profile(id).ifPresent(profile -> resources.put(id, resource.apply(profile)));
                }
            });
            held().stream()
                    .filter(holding -> !used.containsKey(holding.device()) && !reserved.containsKey(holding.device()))
                    .forEach(holding -> resources.put(
                            holding.device(), resource.apply(holding.place().profile())));
        } finally {
            giving.unlock();
        }
        if (resources.isEmpty()) {
            return;
        }
        Set<String> untold;
        try {
            untold = use.untold();
        } catch (IOException e) {
            sayOnce("device plugins: not known whether pods have ended: " + e.getMessage());
            return;
        }
        resources.forEach((id, name) -> {
            if (!untold.contains(name)) {
                release(id, now);
            }
        });
    }

    private void release(String id, Instant now) {
        giving.lock();
        try {
            Instant since = reserved.get(id);
            if (since != null && now.isBefore(since.plus(GRACE))) {
                // Given again meanwhile.
                return;
            }
            reserved.remove(id);
        } finally {
            giving.unlock();
        }
        try {
            keeper.unprepare(ClaimRef.ofPlugin(id).uid());
        } catch (SliceException e) {
            sayOnce("device plugins: " + e.getMessage());
        }
    }

    private Optional<String> profile(String id) {
        return PluginPlace.find(keeper.gpus(), id).map(PluginPlace::profile);
    }

    private List<GpuOffer> state() throws DeviceException {
        Map<String, String> have = used;
        Set<String> ids = new TreeSet<>(have.keySet());
        ids.addAll(reserved.keySet());
        return reader.read(new PluginReader.Given(ids, OpenPromises.of(promised, have, keeper.gpus()), unknown));
    }

    /** Who places pods knows it by inventory and claims; nothing is said while it is not known who has what. */
    private void tell(List<GpuOffer> state) {
        if ((unknown.isPresent() && exposure.offered()) || promisesUnknown) {
            return;
        }
        Set<String> there = new TreeSet<>();
        held().forEach(holding -> there.add(holding.device()));
        Set<String> given = new TreeSet<>(used.keySet());
        giving.lock();
        try {
            given.addAll(reserved.keySet());
        } finally {
            giving.unlock();
        }
        try {
            promiseKeeper.look(state, promised, there, given);
        } catch (IOException e) {
            sayOnce("device plugins: " + e.getMessage());
        }
    }

    private boolean destroyForeign(String id) throws IOException {
        Optional<PluginPlace> place = PluginPlace.find(keeper.gpus(), id);
        try {
            return place.isEmpty()
                    || keeper.destroyForeign(ClaimRef.ofPlugin(id), place.get().wanted());
        } catch (SliceException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private List<GpuOffer> serve() throws DeviceException {
        Map<String, List<PluginDevice>> offers;
        List<GpuOffer> state;
        giving.lock();
        try {
            state = state();
            offers = Offers.of(state);
        } finally {
            giving.unlock();
        }
        Map<String, Integer> next = new HashMap<>();
        offers.values().forEach(list -> list.forEach(device -> next.put(device.id(), next.size())));
        order = next;
        offers.forEach((profile, list) -> {
            if (exposure.offered() || !list.isEmpty()) {
                sockets.computeIfAbsent(profile, key -> opener.apply(resource.apply(profile), new Handler(profile)));
            }
        });
        sockets.entrySet().removeIf(entry -> {
            List<PluginDevice> list = offers.getOrDefault(entry.getKey(), List.of());
            entry.getValue().devices(list);
            return (list.isEmpty() && !exposure.offered()) ? closed(entry.getValue()) : kept(entry.getValue());
        });
        return state;
    }

    private boolean closed(PluginSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            sayOnce(socket.resource() + ": " + e.getMessage());
        }
        return true;
    }

    private boolean kept(PluginSocket socket) {
        try {
            if (socket.keep()) {
                log.accept("kubelet registered the device plugin of " + socket.resource());
            }
        } catch (IOException e) {
            sayOnce(String.valueOf(e.getMessage()));
        }
        return false;
    }

    private final class Handler implements PluginHandler {
        private final String profile;

        Handler(String profile) {
            this.profile = profile;
        }

        @Override
        public List<String> preferred(List<String> available, List<String> must, int size) {
            List<String> chosen = new ArrayList<>(must);
            Map<String, Integer> best = order;
            available.stream()
                    .filter(id -> !must.contains(id))
                    .sorted(java.util.Comparator.<String>comparingInt(id -> best.getOrDefault(id, Integer.MAX_VALUE))
                            .thenComparing(id -> id))
                    .limit(Math.max(0, size - must.size()))
                    .forEach(chosen::add);
            return chosen;
        }

        @Override
        public List<String> allocate(List<String> ids) throws IOException {
            try {
                give(profile, ids);
            } catch (DeviceException e) {
                throw new IOException(resource.apply(profile) + ": " + e.getMessage(), e);
            } finally {
                soon();
            }
            return ids.stream()
                    .map(id -> ClaimSpecs.id(ClaimRef.ofPlugin(id).uid(), id))
                    .toList();
        }

        @Override
        public void start(List<String> ids) throws IOException {
            for (String id : ids) {
                PluginPlace place = PluginPlace.find(keeper.gpus(), id)
                        .orElseThrow(() -> new IOException("device " + id + ": this node has no such place any more"));
                try {
                    made(place);
                } catch (SliceException e) {
                    throw new IOException(e.getMessage(), e);
                }
            }
        }
    }

    private void made(PluginPlace place) throws SliceException {
        try {
            keeper.prepare(ClaimRef.ofPlugin(place.id()), List.of(place.wanted()));
        } catch (SliceException e) {
            if (e.reason() != SliceException.Reason.HELD) {
                throw e;
            }
            // Of a pod that has just gone, perhaps.
            look();
            keeper.prepare(ClaimRef.ofPlugin(place.id()), List.of(place.wanted()));
        }
    }

    private void give(String profile, List<String> ids) throws IOException, DeviceException {
        Optional<String> refused = tryToGive(profile, ids);
        if (refused.isPresent()) {
            // Kubelet knows before us that a pod has gone.
            look();
            refused = tryToGive(profile, ids);
        }
        if (refused.isPresent()) {
            throw new IOException(resource.apply(profile) + ": " + refused.get()
                    + "; it was had between the scheduler's count and now, and a new pod is counted anew");
        }
    }

    /** Why not; empty if they are given. */
    private Optional<String> tryToGive(String profile, List<String> ids) throws DeviceException {
        giving.lock();
        try {
            List<GpuOffer> state = state();
            List<PluginPlace> places = new ArrayList<>();
            for (String id : ids) {
                Optional<PluginPlace> place = PluginPlace.find(
                                state.stream().map(GpuOffer::gpu).toList(), id)
                        .filter(one -> one.profile().equals(profile));
                if (place.isEmpty()) {
                    return Optional.of("this node has no device " + id);
                }
                places.add(place.get());
            }
            for (GpuOffer offer : state) {
                Optional<String> problem = offer.problem(places, this::by);
                if (problem.isPresent()) {
                    return problem;
                }
            }
            ids.forEach(id -> reserved.put(id, clock.instant()));
            return Optional.empty();
        } finally {
            giving.unlock();
        }
    }

    private String by(String id) {
        String pod = used.get(id);
        return pod == null ? "" : " of pod " + pod;
    }

    private void soon() {
        try {
            executor.execute(this::look);
        } catch (RejectedExecutionException e) {
            // The agent ends.
        }
    }

    private synchronized void sayOnce(String text) {
        if (said.add(text)) {
            log.accept(text);
        }
    }

    /** The sockets go; slices stay, and the next agent knows them. */
    @Override
    public void close() throws IOException {
        looking.lock();
        try {
            for (PluginSocket socket : sockets.values()) {
                socket.close();
            }
            sockets.clear();
        } finally {
            looking.unlock();
        }
    }
}
