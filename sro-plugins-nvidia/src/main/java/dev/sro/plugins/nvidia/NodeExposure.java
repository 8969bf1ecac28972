package dev.sro.plugins.nvidia;

import dev.sro.api.NodeFacts;
import dev.sro.api.device.Exposure;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** How the GPUs of one node are offered to containers. */
enum NodeExposure {
    /** By NVIDIA's device plugin, as the MIG manager cuts them. */
    DEVICE_PLUGIN("device-plugin", "device-plugin"),
    /** By claims, as SRO's agent cuts them. */
    SLICES("slices", "slices-agent");

    private static final String PAUSED = "paused-for-";

    private final String word;
    private final String operand;

    NodeExposure(String word, String operand) {
        this.word = word;
        this.operand = operand;
    }

    private static Optional<NodeExposure> of(String word) {
        return Arrays.stream(values()).filter(one -> one.word.equals(word)).findFirst();
    }

    /** What the node shall have, by its label or else the settings. */
    static NodeExposure wanted(NodeFacts node, Settings settings) {
        if (!settings.hasSlices()) {
            return DEVICE_PLUGIN;
        }
        return of(node.labels().getOrDefault(Labels.EXPOSURE, ""))
                .or(() -> of(settings.text("slices.defaultExposure")))
                .orElse(DEVICE_PLUGIN);
    }

    /** What it has by SRO's own label; on a node without it, what runs there, and on a new one what it shall have. */
    static NodeExposure current(NodeFacts node, Settings settings) {
        return of(node.labels().getOrDefault(Labels.EXPOSURE_STATE, "")).orElseGet(() -> {
            String plugin = node.labels().getOrDefault(Labels.DEPLOY + DEVICE_PLUGIN.operand, "");
            return plugin.isEmpty() || plugin.equals("false") ? wanted(node, settings) : DEVICE_PLUGIN;
        });
    }

    /** Whether a manager is at work on the node that puts operands back by their labels when it is done. */
    static boolean isPaused(NodeFacts node) {
        String cut = node.labels().getOrDefault(Labels.MIG_STATE, "");
        return cut.equals("pending")
                || cut.equals("rebooting")
                || node.labels().entrySet().stream()
                        .anyMatch(label -> label.getKey().startsWith(Labels.DEPLOY)
                                && label.getValue().startsWith(PAUSED));
    }

    /** As labels of nodes have it. */
    String word() {
        return word;
    }

    /** End of the label of the nodes that the operand is for. */
    String operand() {
        return operand;
    }

    /** By what pods get devices. */
    Exposure exposure() {
        return switch (this) {
            case DEVICE_PLUGIN -> Exposure.devicePlugin(Labels.GPU, Labels.GPU + ".shared", Labels.MIG + "*");
            case SLICES ->
                Exposure.builder()
                        .mode(Exposure.Mode.DRA)
                        .draDriver(Labels.SLICES_DRIVER)
                        .build();
        };
    }

    /** Labels of the pods that offer devices, prove it, or cut them. */
    List<Map<String, String>> pods() {
        Stream<String> apps = switch (this) {
            case DEVICE_PLUGIN ->
                Stream.of(
                        "nvidia-device-plugin-daemonset",
                        "nvidia-device-plugin-mps-control-daemon",
                        "nvidia-device-plugin-validator",
                        "nvidia-mig-manager");
            case SLICES -> Stream.of("nvidia-slices-agent");
        };
        return apps.map(app -> Map.of("app", app)).toList();
    }
}
