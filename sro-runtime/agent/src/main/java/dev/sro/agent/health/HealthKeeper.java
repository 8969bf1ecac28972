package dev.sro.agent.health;

import dev.sro.agent.device.DeviceEvent;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DevicePort;
import dev.sro.agent.device.FatalXids;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.device.Recovery;
import dev.sro.agent.file.JsonText;
import dev.sro.agent.file.WholeFile;
import dev.sro.core.slicing.input.InputDocument;
import dev.sro.core.slicing.input.InputField;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Which GPUs are ill. A report is kept on disk, as drivers tell it once; it goes when the driver says that the GPU needs nothing, when the
 * GPU was reset here, and with a boot. Thread-safe.
 */
public final class HealthKeeper {
    private static final String RECOVERY = "recovery";

    private final DevicePort devices;
    private final WholeFile file;
    private final String bootId;
    private final Consumer<String> log;
    private final FatalXids xids = FatalXids.load();
    private final Map<PciAddress, Map<String, String>> faults = new TreeMap<>();
    private boolean saved = true;
    private boolean missed = true;

    /**
     * Reads what earlier agents of this boot wrote; what cannot be read is told and forgotten.
     *
     * @param bootId of this boot
     * @param log takes a sentence at a time
     */
    public HealthKeeper(DevicePort devices, WholeFile file, String bootId, Consumer<String> log) {
        this.devices = devices;
        this.file = file;
        this.bootId = bootId;
        this.log = log;
        try {
            file.read().ifPresent(this::load);
        } catch (IOException | IllegalArgumentException e) {
            faults.clear();
            log.accept("which GPUs were ill cannot be read: " + e.getMessage());
        }
    }

    private void load(byte[] bytes) {
        Map<String, InputField> root = InputDocument.parse("health", new String(bytes, StandardCharsets.UTF_8))
                .root()
                .fields();
        InputField boot = root.get("bootId");
        InputField gpus = root.get("gpus");
        if (boot != null && gpus != null && boot.text().equals(bootId)) {
            gpus.fields()
                    .forEach((gpu, codes) -> codes.fields()
                            .forEach((code, text) ->
                                    PciAddress.read(gpu).ifPresent(address -> put(address, code, text.text()))));
        }
    }

    private void put(PciAddress gpu, String code, String text) {
        faults.computeIfAbsent(gpu, key -> new TreeMap<>()).put(code, text);
    }

    /** What ails a GPU: text by code, such as {@code xid-79}. */
    public synchronized Map<String, String> faults(PciAddress gpu) {
        return Map.copyOf(faults.getOrDefault(gpu, Map.of()));
    }

    /** All GPUs that are ill. */
    public synchronized Map<PciAddress, Map<String, String>> all() {
        Map<PciAddress, Map<String, String>> copy = new TreeMap<>();
        faults.forEach((gpu, codes) -> copy.put(gpu, Map.copyOf(codes)));
        return copy;
    }

    /** GPUs that a reset would help. */
    public synchronized Set<PciAddress> needReset() {
        Set<PciAddress> gpus = new TreeSet<>();
        faults.forEach((gpu, codes) -> {
            if (codes.values().stream().anyMatch(text -> text.endsWith(FatalXids.RESET))) {
                gpus.add(gpu);
            }
        });
        return gpus;
    }

    /**
     * Waits for a report of the driver.
     *
     * @return whether a GPU is ill that was not, or in another way
     * @throws DeviceException if there is none to be had now; of kind {@link DeviceException.Kind#NOT_SUPPORTED} if there never will be
     */
    public boolean await(Duration atMost) throws DeviceException {
        try {
            Optional<DeviceEvent> event = devices.nextEvent(atMost);
            return event.isPresent() && happened(event.get());
        } catch (DeviceException e) {
            // Until the next call nobody listens.
            missed(true);
            throw e;
        }
    }

    private synchronized void missed(boolean now) {
        missed = now;
    }

    private synchronized boolean missed() {
        return missed;
    }

    /**
     * Where nobody listened since the last call, as before the agent started, asks the driver of all GPUs whether they need something. Drivers
     * before 570 do not say.
     *
     * @return whether one is ill that was not
     */
    public boolean askAll() {
        if (!missed()) {
            return false;
        }
        boolean found = false;
        try {
            for (Gpu gpu : devices.gpus()) {
                found |= faults(gpu.address()).isEmpty() && needsSomething(gpu.address());
            }
            missed(false);
        } catch (DeviceException e) {
            // Asked again with the next call.
        }
        return found;
    }

    private boolean needsSomething(PciAddress gpu) {
        Recovery recovery;
        try {
            recovery = devices.recovery(gpu);
        } catch (DeviceException e) {
            // That it does not answer is told where its slices are read.
            return false;
        }
        if (recovery != Recovery.RESET && recovery != Recovery.NEEDED) {
            return false;
        }
        String text = "after an error that nobody heard of, "
                + (recovery == Recovery.RESET
                        ? FatalXids.RESET
                        : "needs a restart of the node, or that somebody looks at it");
        synchronized (this) {
            put(gpu, RECOVERY, text);
            save();
        }
        log.accept(gpu + " is ill: " + text + "; it takes nothing new");
        return true;
    }

    private boolean happened(DeviceEvent event) {
        String code = "xid-" + event.xid();
        Optional<String> meaning = xids.meaning(event.xid());
        if (meaning.isEmpty()) {
            log.accept(event.gpu() + ": XID " + event.xid() + ", after which the GPU goes on");
            return false;
        }
        synchronized (this) {
            if (faults(event.gpu()).containsKey(code)) {
                return false;
            }
            put(event.gpu(), code, meaning.get());
            save();
        }
        log.accept(event.gpu() + " is ill: XID " + event.xid() + ", " + meaning.get() + "; it takes nothing new");
        return true;
    }

    /**
     * Asks the driver whether GPUs that were ill are well.
     *
     * @return those that are
     */
    public List<PciAddress> recheck() {
        List<PciAddress> well = new ArrayList<>();
        for (PciAddress gpu : all().keySet()) {
            try {
                if (devices.recovery(gpu) == Recovery.NONE) {
                    cleared(gpu);
                    well.add(gpu);
                }
            } catch (DeviceException e) {
                // Who does not answer is not well.
            }
        }
        synchronized (this) {
            if (!saved) {
                save();
            }
        }
        return well;
    }

    /** The GPU was reset: what was told of it before does not hold any more. */
    public void cleared(PciAddress gpu) {
        synchronized (this) {
            if (faults.remove(gpu) == null) {
                return;
            }
            save();
        }
        log.accept(gpu + " is well again");
    }

    private void save() {
        Map<String, Object> gpus = new TreeMap<>();
        faults.forEach((gpu, codes) -> gpus.put(gpu.toString(), codes));
        try {
            file.write(JsonText.of(new TreeMap<>(Map.of("bootId", bootId, "gpus", gpus)))
                    .getBytes(StandardCharsets.UTF_8));
            saved = true;
        } catch (IOException e) {
            saved = false;
            log.accept("which GPUs are ill cannot be written down: " + e.getMessage());
        }
    }
}
