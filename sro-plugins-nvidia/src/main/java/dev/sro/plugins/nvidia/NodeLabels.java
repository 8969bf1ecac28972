package dev.sro.plugins.nvidia;

import dev.sro.api.NodeFacts;
import dev.sro.api.device.Handover;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Labels of a node with a GPU, with the names and meanings of NVIDIA's operator. A value that is there and is not what SRO would
 * write is somebody's word, an administrator's {@code false} or a manager's {@code paused-for-mig-change}: it is left alone.
 * Stateless.
 */
final class NodeLabels {

    /** What a node is for. */
    enum Workload {
        CONTAINER("container"),
        VM_PASSTHROUGH("vm-passthrough"),
        VM_VGPU("vm-vgpu");

        private final String word;

        Workload(String word) {
            this.word = word;
        }

        static Optional<Workload> of(String word) {
            return Arrays.stream(values()).filter(one -> one.word.equals(word)).findFirst();
        }
    }

    private static final String DRIVER = "driver";

    private static final List<String> CONTAINER = List.of(
            DRIVER,
            "gpu-feature-discovery",
            "container-toolkit",
            "device-plugin",
            "dcgm",
            "dcgm-exporter",
            "node-status-exporter",
            "operator-validator",
            "client");

    private static final List<String> DRA =
            List.of(DRIVER, "dra-driver", "dra-validator", "dcgm-dra", "dcgm-exporter-dra");

    private static final List<String> MIG_MODELS = List.of("h100", "a100", "a30");

    private NodeLabels() {}

    /** The labels that the node shall have from SRO. */
    static Map<String, String> derive(NodeFacts node, Settings settings) {
        NodeExposure current = NodeExposure.current(node, settings);
        return derive(node, settings, Optional.of(current), current);
    }

    /** The way of a node from one exposure to another, where that is asked for and no manager is at work there. */
    static Optional<Handover> handover(NodeFacts node, Settings settings) {
        NodeExposure current = NodeExposure.current(node, settings);
        NodeExposure wanted = NodeExposure.wanted(node, settings);
        if (current == wanted || !isExposed(node, settings) || NodeExposure.isPaused(node)) {
            return Optional.empty();
        }
        return Optional.of(new Handover(
                current.exposure(),
                current.pods(),
                derive(node, settings, Optional.empty(), current),
                derive(node, settings, Optional.of(wanted), wanted)));
    }

    /** Whether containers get GPUs of the node, in one of the ways between which nodes can go over. */
    private static boolean isExposed(NodeFacts node, Settings settings) {
        return !settings.isDra()
                && !"false".equals(node.labels().get(Labels.DEPLOY + "operands"))
                && workload(node.labels().getOrDefault(Labels.WORKLOAD, ""), settings) == Workload.CONTAINER;
    }

    /**
     * The labels of a node.
     *
     * @param exposure of its GPUs; empty for none, while it goes over
     * @param last the last one that it had
     */
    private static Map<String, String> derive(
            NodeFacts node, Settings settings, Optional<NodeExposure> exposure, NodeExposure last) {
        Map<String, String> wanted = new TreeMap<>();
        // Of this label nobody else has a say: the hardware decides.
        wanted.put(Labels.PRESENT, "true");
        if ("false".equals(node.labels().get(Labels.DEPLOY + "operands"))) {
            return wanted;
        }
        String said = node.labels().getOrDefault(Labels.WORKLOAD, "");
        if (settings.hasSandboxes() && !said.isEmpty() && Workload.of(said).isEmpty()) {
            want(wanted, node, Labels.WORKLOAD_STATE, "ignored");
        }
        Workload workload = workload(said, settings);
        List<String> operands = operands(workload, settings);
        if (isExposed(node, settings)) {
            operands = exposed(operands, exposure);
            exposure(wanted, node, settings, exposure, last);
        }
        operands.forEach(operand -> want(wanted, node, Labels.DEPLOY + operand, "true"));
        if (settings.hasDriver() && operands.contains(DRIVER) && bringsDriver(node)) {
            want(wanted, node, Labels.DEPLOY + "host-driver", "true");
        }
        boolean cut = isExposed(node, settings)
                && exposure.filter(NodeExposure.DEVICE_PLUGIN::equals).isPresent()
                && settings.is("migManager.enabled");
        if (cut && isMigCapable(node)) {
            want(wanted, node, Labels.DEPLOY + "mig-manager", "true");
            settings.maybe("migManager.config.default")
                    .ifPresent(layout -> want(wanted, node, Labels.MIG_CONFIG, layout));
        }
        return wanted;
    }

    private static void exposure(
            Map<String, String> wanted,
            NodeFacts node,
            Settings settings,
            Optional<NodeExposure> exposure,
            NodeExposure last) {
        if (settings.hasSlices() || last == NodeExposure.SLICES) {
            wanted.put(Labels.EXPOSURE_STATE, last.word());
        }
        if (exposure.filter(NodeExposure.SLICES::equals).isPresent()) {
            want(wanted, node, Labels.SLICES_MODE, settings.text("slices.mode"));
        }
    }

    /** Never those of two exposures. */
    private static List<String> exposed(List<String> operands, Optional<NodeExposure> exposure) {
        List<String> result = new ArrayList<>(operands);
        result.remove(NodeExposure.DEVICE_PLUGIN.operand());
        exposure.map(NodeExposure::operand).ifPresent(result::add);
        return result;
    }

    /** What is left to say of a node whose GPUs are gone, to those who have seen them there. */
    static Map<String, String> withoutGpu(NodeFacts node) {
        return node.labels().getOrDefault(Labels.PRESENT, "").isEmpty() ? Map.of() : Map.of(Labels.PRESENT, "false");
    }

    /** What the node is for; a word that is not known counts as none. */
    static Workload workload(String said, Settings settings) {
        if (!settings.hasSandboxes()) {
            return Workload.CONTAINER;
        }
        return Workload.of(said)
                .or(() -> Workload.of(settings.text("sandboxWorkloads.defaultWorkload")))
                .orElse(Workload.CONTAINER);
    }

    /** By an administrator's word, or by that of the driver manager, which has found one. */
    private static boolean bringsDriver(NodeFacts node) {
        String said = node.labels().getOrDefault(Labels.DEPLOY + DRIVER, "");
        return said.equals("false") || said.equals("pre-installed");
    }

    private static List<String> operands(Workload workload, Settings settings) {
        String plugin = settings.isKata() ? "kata-sandbox-device-plugin" : "sandbox-device-plugin";
        return switch (workload) {
            case CONTAINER -> settings.isDra() ? DRA : CONTAINER;
            case VM_PASSTHROUGH ->
                List.of(plugin, "sandbox-validator", "vfio-manager", "kata-manager", "cc-manager", "client");
            case VM_VGPU ->
                List.of(
                        "sandbox-device-plugin",
                        "vgpu-manager",
                        "vgpu-device-manager",
                        "sandbox-validator",
                        "cc-manager",
                        "client");
        };
    }

    /** By GPU feature discovery, and before that has run by the name of the model; never where GPUs are virtual ones. */
    static boolean isMigCapable(NodeFacts node) {
        if (!node.labels().getOrDefault(Labels.VGPU_HOST, "").isEmpty()) {
            return false;
        }
        String said = node.labels().get(Labels.MIG_CAPABLE);
        if (said != null) {
            return said.equals("true");
        }
        String product = node.labels().getOrDefault(Labels.PRODUCT, "").toLowerCase(Locale.ROOT);
        return MIG_MODELS.stream().anyMatch(product::contains);
    }

    private static void want(Map<String, String> wanted, NodeFacts node, String key, String value) {
        String there = node.labels().getOrDefault(key, "");
        if (there.isEmpty() || there.equals(value)) {
            wanted.put(key, value);
        }
    }
}
