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
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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

    private final UnaryOperator<String> resource;
    private final SliceKeeper keeper;
    private final PluginReader reader;
    private final PluginExposure exposure;
    private final KubeletUse use;
    private final NodePromises promises;
    private final ExecutorService executor;
    private final Clock clock;
    private final Consumer<String> log;
    private final PluginSockets sockets;

    /** One look at a time. */
    private final ReentrantLock looking = new ReentrantLock();
    /** Of what is given away; held for as long as hardware is read. */
    private final ReentrantLock giving = new ReentrantLock();

    private final Map<String, Instant> reserved = new TreeMap<>();
    private final Set<String> said = new HashSet<>();
    private volatile Map<String, String> used = Map.of();
    private volatile Optional<String> unknown = NOT_ASKED;

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
        this.resource = resource;
        this.keeper = keeper;
        this.exposure = hardware.exposure();
        reader = new PluginReader(hardware.devices(), keeper, hardware.catalogue(), exposure);
        this.use = use;
        this.promises = new NodePromises(promises, keeper, clock, this::sayOnce);
        this.executor = executor;
        this.clock = clock;
        this.log = log;
        sockets = new PluginSockets(opener, resource, Handler::new, log, this::sayOnce);
    }

    /** Takes back what no pod has any more, and tells kubelet what there is. */
    public void look() {
        looking.lock();
        try {
            List<Holding> held = held();
            if (!exposure.offered() && held.isEmpty() && sockets.isEmpty()) {
                unknown = NOT_ASKED;
                promises.forget();
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
        promises.ask();
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
        return reader.read(
                new PluginReader.Given(ids, OpenPromises.of(promises.claims(), have, keeper.gpus()), unknown));
    }

    /** Nothing is said while it is not known who has what. */
    private void tell(List<GpuOffer> state) {
        if (unknown.isPresent() && exposure.offered()) {
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
        promises.tell(state, there, given);
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
        sockets.offer(offers, exposure.offered());
        return state;
    }

    private final class Handler implements PluginHandler {
        private final String profile;

        Handler(String profile) {
            this.profile = profile;
        }

        @Override
        public List<String> preferred(List<String> available, List<String> must, int size) {
            return sockets.preferred(available, must, size);
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
            sockets.close();
        } finally {
            looking.unlock();
        }
    }
}
