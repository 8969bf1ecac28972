package dev.sro.agent.mode;

import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DevicePort;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.node.NodeFacts;
import dev.sro.agent.publish.GpuCare;
import dev.sro.agent.slice.SliceException;
import dev.sro.agent.slice.SliceKeeper;
import dev.sro.core.dra.NodeMarks;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Has GPUs cut, or whole, as the Node asks for. A GPU that is to change is closed first, so that the scheduler gives nothing of it any more;
 * it changes when it was closed for a while and nobody has anything of it. Where that needs a reset, one has to be ordered. Thread-safe.
 */
public final class ModeKeeper {
    /** Longer than a scheduler needs to hear that a GPU is closed, and to write what it had decided before. */
    static final Duration CLOSED = Duration.ofSeconds(30);

    /** When a reset that was ordered is tried again that somebody was in the way of: nobody tells when a process on the host ends. */
    static final Duration IN_USE = Duration.ofSeconds(15);

    private final DevicePort devices;
    private final SliceKeeper keeper;
    private final Consumer<PciAddress> afterReset;
    private final Consumer<String> log;
    private final Map<PciAddress, Instant> closed = new HashMap<>();
    /** They stay as they are until something else is asked of them, somebody takes the mark away, or a new order comes. */
    private final Set<PciAddress> failed = new TreeSet<>();
    /** Those of them that failed under the order that stands. */
    private final Set<PciAddress> answered = new TreeSet<>();
    /** Those of which the Node said so when it was last seen. */
    private Set<PciAddress> marked = Set.of();

    private boolean begun;
    private final Set<String> said = new HashSet<>();

    /**
     * Changes nothing yet.
     *
     * @param afterReset told of each GPU that was reset
     * @param log takes a sentence at a time
     */
    public ModeKeeper(DevicePort devices, SliceKeeper keeper, Consumer<PciAddress> afterReset, Consumer<String> log) {
        this.devices = devices;
        this.keeper = keeper;
        this.afterReset = afterReset;
        this.log = log;
    }

    /** Whether a GPU has been closed for so long that nothing of it is given any more. */
    public synchronized boolean closedLong(PciAddress gpu, Instant now) {
        Instant since = closed.get(gpu);
        return since != null && !now.isBefore(since.plus(CLOSED));
    }

    /**
     * What came of it. Immutable.
     *
     * @param changed whether any GPU is another one now: to be published
     * @param again when to come again, if nothing else calls before
     * @param annotations of the Node that are to be written, as {@code ApiNode.annotate} takes them
     */
    public record Result(boolean changed, Optional<Instant> again, Map<String, String> annotations) {
        /** Copies the map. */
        public Result {
            annotations = Map.copyOf(annotations);
        }
    }

    /**
     * Does what can be done now.
     *
     * @param published what the API server has now; GPUs that are to change are closed in it
     * @param had GPUs that are not to be touched, as somebody has something of them
     * @param ill GPUs that need a reset to be well
     */
    public synchronized Result apply(
            Instant now, GpuCare.Published published, Set<PciAddress> had, Set<PciAddress> ill) {
        return new Look(now, published, had, ill).result();
    }

    /** One look at all GPUs. Used once. */
    private final class Look {
        private final Instant now;
        private final GpuCare.Published published;
        private final NodeFacts facts;
        private final Set<PciAddress> had;
        private final Set<PciAddress> ill;
        private final Set<PciAddress> ordered;
        private final Set<PciAddress> waiting = new TreeSet<>();
        private final Set<PciAddress> changing = new TreeSet<>();
        private Optional<Instant> again = Optional.empty();
        private boolean changed;

        Look(Instant now, GpuCare.Published published, Set<PciAddress> had, Set<PciAddress> ill) {
            this.now = now;
            this.published = published;
            this.facts = published.facts();
            this.had = had;
            this.ill = ill;
            this.ordered = facts.gpus(NodeMarks.RESET);
        }

        Result result() {
            remember(facts, ordered);
            for (PciAddress gpu : published.closing()) {
                again(closed.computeIfAbsent(gpu, address -> now).plus(CLOSED));
            }
            for (Gpu gpu : published.gpus()) {
                Optional<GpuMode> wanted = facts.change(gpu);
                if (wanted.isPresent() || ill.contains(gpu.address())) {
                    change(gpu, wanted);
                }
                if (!waiting.contains(gpu.address())) {
                    failed.remove(gpu.address());
                }
            }
            changing.addAll(published.closing());
            closed.keySet().retainAll(changing);
            return new Result(changed, again, annotations(facts, waiting));
        }

        private void change(Gpu gpu, Optional<GpuMode> wanted) {
            PciAddress address = gpu.address();
            changing.add(address);
            Instant since = closed.computeIfAbsent(
                    address, unused -> published.listed().contains(address) ? now : now.minus(CLOSED));
            boolean reset = ill.contains(address) || gpu.resetToSwitch() || gpu.mode() == GpuMode.PENDING;
            if (reset) {
                // Named until it is done: whoever ordered it looks at that.
                waiting.add(address);
            }
            if (reset && (!ordered.contains(address) || answered.contains(address))) {
                return;
            }
            if (had.contains(address)) {
                sayOnce(address + ": it is changed when nobody has anything of it any more");
            } else if (now.isBefore(since.plus(CLOSED))) {
                again(since.plus(CLOSED));
            } else if (perform(gpu, wanted, reset)) {
                changed = true;
                waiting.remove(address);
            } else if (reset && !answered.contains(address)) {
                again(now.plus(IN_USE));
            }
        }

        private void again(Instant other) {
            again = again.filter(time -> time.isBefore(other)).or(() -> Optional.of(other));
        }
    }

    /** Of what could not be reset, what is still so. */
    private void remember(NodeFacts facts, Set<PciAddress> ordered) {
        Set<PciAddress> said = facts.gpus(NodeMarks.RESET_FAILED);
        Set<PciAddress> pardoned = new TreeSet<>(marked);
        pardoned.removeAll(said);
        failed.removeAll(pardoned);
        answered.removeAll(pardoned);
        marked = said;
        failed.addAll(said);
        if (!begun && facts.uid().isPresent()) {
            // As the agent before this one left it.
            begun = true;
            answered.addAll(failed);
        }
        answered.retainAll(ordered);
    }

    private boolean perform(Gpu gpu, Optional<GpuMode> wanted, boolean reset) {
        String what = wanted.map(mode -> mode == GpuMode.SLICES ? "MIG on" : "MIG off")
                .orElse("reset, as it was ill");
        try {
            keeper.whileIdle(gpu.address(), reset, () -> change(gpu, wanted, reset));
            if (reset) {
                failed.remove(gpu.address());
                answered.remove(gpu.address());
                afterReset.accept(gpu.address());
            }
            log.accept(gpu.address() + ": " + what + (reset ? ", by a reset that was ordered" : ""));
            said.removeIf(text -> text.startsWith(gpu.address() + ": "));
            return true;
        } catch (SliceException e) {
            // It was not tried; who has something of it gives it back.
            sayOnce(gpu.address() + ": not " + what + " yet: " + e.getMessage());
            return false;
        } catch (DeviceException e) {
            if (reset && e.kind() != DeviceException.Kind.IN_USE) {
                failed.add(gpu.address());
                answered.add(gpu.address());
            }
            sayOnce(gpu.address() + ": not " + what + ": " + e.getMessage());
            return false;
        }
    }

    private void change(Gpu gpu, Optional<GpuMode> wanted, boolean reset) throws DeviceException {
        if (wanted.isPresent()) {
            devices.setSlices(gpu.address(), wanted.get() == GpuMode.SLICES);
        }
        if (reset && !wanted.equals(Optional.of(mode(gpu.address())))) {
            devices.reset(gpu.address());
        }
        GpuMode now = mode(gpu.address());
        if (wanted.isPresent() && now != wanted.get()) {
            throw new DeviceException(DeviceException.Kind.RESET_REQUIRED, gpu.address() + ": still " + now.text());
        }
    }

    private GpuMode mode(PciAddress address) throws DeviceException {
        return devices.gpus().stream()
                .filter(gpu -> gpu.address().equals(address))
                .map(Gpu::mode)
                .findFirst()
                .orElseThrow(() -> new DeviceException(DeviceException.Kind.NOT_FOUND, address + ": the GPU is gone"));
    }

    private Map<String, String> annotations(NodeFacts facts, Set<PciAddress> waiting) {
        Map<String, String> wanted = new TreeMap<>();
        wanted.put(NodeMarks.RESET_NEEDED, text(waiting));
        wanted.put(NodeMarks.RESET_FAILED, text(failed));
        wanted.entrySet()
                .removeIf(entry ->
                        facts.annotations().getOrDefault(entry.getKey(), "").equals(entry.getValue()));
        return wanted;
    }

    private static String text(Set<PciAddress> gpus) {
        return gpus.stream().map(PciAddress::toString).collect(Collectors.joining(","));
    }

    private void sayOnce(String text) {
        if (said.add(text)) {
            log.accept(text);
        }
    }
}
