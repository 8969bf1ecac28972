package dev.sro.core.dra;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * How operator, people and the agent of a node speak to each other: labels and annotations of the Node. Stateless.
 *
 * <p>The operator and people write {@link #MODE}, {@link #RESET} and cordons; the agent writes the others, and only on its own Node. Several
 * GPUs in one value are PCI addresses, sorted, with commas between.
 */
public final class NodeMarks {
    /** Label: what the GPUs of the node are to be used as, see {@link Mode}; without it the agent follows what it finds. */
    public static final String MODE = "slices.sro.dev/mode";

    /** Label: how slices of the node are offered, see {@link Offer}; without it as the agent was told at its start. */
    public static final String OFFER = "slices.sro.dev/offer";

    /** Annotation: GPUs that the agent is to reset now, as the node was drained for it. */
    public static final String RESET = "slices.sro.dev/reset";

    /** Annotation of the agent: GPUs whose mode waits for a reset, or that need one to be well; named until it is done. */
    public static final String RESET_NEEDED = "slices.sro.dev/reset-needed";

    /** Annotation of the agent: GPUs that could not be reset when that was ordered; left as they are until the order is given anew. */
    public static final String RESET_FAILED = "slices.sro.dev/reset-failed";

    /** Annotation of the agent: pods that have GPUs of the node by a device plugin, {@code namespace/name}, the first twenty. */
    public static final String DEVICE_PLUGIN_PODS = "slices.sro.dev/device-plugin-pods";

    /** How annotations begin that take one GPU out of service; behind it the GPU, as value the reason. */
    public static final String CORDON = "cordon.slices.sro.dev/";

    private static final Pattern UUID = Pattern.compile("GPU-[0-9A-Za-z-]{1,50}");

    private NodeMarks() {}

    /** How slices are offered. A GPU is offered in one way at a time, and goes over when nobody has anything of it in the other. */
    public enum Offer {
        /** By ResourceSlices, to claims. */
        CLAIMS("claims"),
        /** By kubelet's device plugins, a resource for each profile. */
        DEVICE_PLUGIN("device-plugin");

        private final String label;

        Offer(String label) {
            this.label = label;
        }

        /** The value of the label. */
        public String label() {
            return label;
        }

        /** That of a label; empty for a value that is none. */
        public static Optional<Offer> of(String label) {
            for (Offer offer : values()) {
                if (offer.label.equals(label)) {
                    return Optional.of(offer);
                }
            }
            return Optional.empty();
        }
    }

    /** What the GPUs of a node are to be used as. */
    public enum Mode {
        /** All that can are cut: MIG is on, and there are no whole GPUs of them. */
        SLICES,
        /** None is cut: MIG is off, and claims get whole GPUs. */
        WHOLE,
        /** Either, as claims come: where MIG goes on and off without a reset, that is from Hopper on. Others stay as they are. */
        DYNAMIC;

        /** The value of the label. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The mode of a label; empty for a value that is none. */
        public static Optional<Mode> of(String label) {
            for (Mode mode : values()) {
                if (mode.label().equals(label)) {
                    return Optional.of(mode);
                }
            }
            return Optional.empty();
        }
    }

    /**
     * The annotation that takes a GPU out of service.
     *
     * @param gpu its UUID ({@code GPU-…}) or PCI address ({@code 0000:3b:00.0})
     * @throws IllegalArgumentException if it is neither
     */
    public static String cordon(String gpu) {
        if (UUID.matcher(gpu).matches()) {
            return CORDON + gpu;
        }
        String address = gpu.toLowerCase(Locale.ROOT);
        if (DraGpu.PCI_ADDRESS.matcher(address).matches()) {
            return CORDON + address.replace(':', '-');
        }
        throw new IllegalArgumentException(
                "\"" + gpu + "\" is no GPU: neither a UUID such as GPU-… nor a PCI address such as 0000:3b:00.0");
    }

    /** Why a GPU is out of service; empty if it is not. */
    public static Optional<String> cordoned(Map<String, String> annotations, String uuid, String pciAddress) {
        return Optional.ofNullable(annotations.get(CORDON + pciAddress.replace(':', '-')))
                .or(() -> Optional.ofNullable(annotations.get(CORDON + uuid)));
    }

    /** Reasons by the annotation's name behind {@link #CORDON}. */
    public static Map<String, String> cordons(Map<String, String> annotations) {
        Map<String, String> cordons = new TreeMap<>();
        annotations.forEach((key, reason) -> {
            if (key.startsWith(CORDON)) {
                cordons.put(key.substring(CORDON.length()), reason);
            }
        });
        return cordons;
    }
}
