package dev.sro.plugins.nvidia;

import dev.sro.api.Problem;
import dev.sro.api.Reach;
import dev.sro.api.ReadinessRule;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The states in SRO's numbering, each after what it really needs. Feature discovery and the MIG manager do not come after the
 * validation of the device plugin: a GPU in MIG mode that nobody has cut yet offers nothing that could be validated. Stateless.
 */
final class Recipe {

    static final String DRIVER = "1000-driver";
    private static final String HOST_DRIVER = "1010-host-driver";
    static final String VALIDATION = "3000-driver-validation";
    private static final String RUNTIME = "2000-runtime";
    private static final String PLUGIN = "4000-device-plugin";
    private static final String WORKLOAD = "4900-device-plugin-workload";
    private static final String PLUGIN_VALIDATION = "5000-device-plugin-validation";
    static final String SLICES = "4500-slices-agent";
    private static final String DRA = "4000-dra-driver";
    private static final String DRA_VALIDATION = "5000-dra-validation";
    private static final String ENGINE = "6100-dcgm";
    private static final String FEATURES = "8000-feature-discovery";
    private static final String VGPU = "1100-vgpu-manager";
    private static final String VFIO = "2100-vfio-manager";
    private static final String CONFIDENTIAL = "2200-cc-manager";
    private static final String VGPU_DEVICES = "3100-vgpu-device-manager";
    private static final String SANDBOX_VALIDATION = "3200-sandbox-validation";

    /** {@code pending} and {@code rebooting} are on the way; nothing follows this one unless somebody acts. */
    private static final Map<String, Problem> MIG_FAILURES = Map.of(
            "failed",
            Problem.user(
                    "NvidiaMigConfigFailed",
                    "the MIG manager could not cut the GPUs as label " + Labels.MIG_CONFIG
                            + " says; see the log of the pod nvidia-mig-manager on this node: set the label to a"
                            + " layout that the GPUs of the node can have, stop what uses them, or boot the node where"
                            + " the mode of the GPUs does not change otherwise"));

    private static final Problem MISSING = Problem.platform(
            "NvidiaGpuMissing",
            "reset the GPU or boot the node; see the log of the pod nvidia-device-plugin-daemonset there");

    private final Settings settings;
    private final List<State> states = new ArrayList<>();

    private Recipe(RecipeContext context) {
        this.settings = new Settings(context);
    }

    /** The states of a special resource. */
    static StateGraph create(RecipeContext context) {
        Recipe recipe = new Recipe(context);
        recipe.driver();
        if (recipe.settings.isDra()) {
            recipe.claims();
        } else {
            recipe.devicePlugin();
        }
        recipe.monitoring();
        if (recipe.settings.hasSandboxes()) {
            recipe.sandboxes();
        }
        return StateGraph.of(recipe.states);
    }

    private void driver() {
        if (settings.hasDriver()) {
            Operand operand = new Operand(DRIVER, "driver", "nvidia-driver")
                    .rights("nodes-write", "evict")
                    .file("driver.yaml");
            State.Builder driver = state(operand).reach(Reach.nodeByNode()).addProvides("gpu-driver");
            boolean peers = settings.is("driver.rdma.enabled") || settings.is("gds.enabled");
            if (peers && !settings.is("driver.rdma.useHostMofed")) {
                // Peer memory is built upon the network driver's symbols.
                driver.addAfterCapabilities("network-driver");
            }
            states.add(driver.build());
            // For nodes that bring their own. Nobody comes after it: what fails there must not keep the others from
            // theirs.
            states.add(state(new Operand(HOST_DRIVER, "host-driver", "nvidia-host-driver").file("host-driver.yaml"))
                    .build());
        } else {
            states.add(state(new Operand(DRIVER, "driver", "nvidia-driver").file("host-driver.yaml"))
                    .build());
        }
    }

    private void devicePlugin() {
        boolean toolkit = settings.is("toolkit.enabled");
        if (toolkit) {
            states.add(state(new Operand(RUNTIME, "container-toolkit", "nvidia-container-toolkit")
                            .file("runtime-classes.yaml", "toolkit.yaml"))
                    .addAfter(DRIVER)
                    .build());
        } else {
            // The host has the toolkit; pods still name the classes.
            states.add(State.builder()
                    .id(RUNTIME)
                    .addAfter(DRIVER)
                    .putAllVariables(new Variables(settings).all("nvidia-container-toolkit", false))
                    .addManifests(Operand.manifest("runtime-classes.yaml"))
                    .build());
        }
        // It stays while GPUs are reset: the agent waits for a file of it, and it only looks when it comes.
        states.add(state(new Operand(VALIDATION, "operator-validator", "nvidia-operator-validator")
                        .file("driver-validation.yaml"))
                .addAfter(RUNTIME)
                .build());
        String before = VALIDATION;
        if (settings.is("devicePlugin.enabled")) {
            states.add(state(new Operand(PLUGIN, "device-plugin", "nvidia-device-plugin")
                            .rights("nodes-read")
                            .file("device-plugin.yaml"))
                    .addAfter(VALIDATION)
                    .build());
            states.add(state(new Operand("4100-mps-control-daemon", "device-plugin", "nvidia-mps-control-daemon")
                            .rights("nodes-read")
                            .file("mps.yaml"))
                    .putNodes(Labels.MPS_CAPABLE, "true")
                    .addAfter(VALIDATION)
                    .build());
            pluginValidation();
            before = PLUGIN_VALIDATION;
        }
        slices();
        exporter(before);
        features();
    }

    /** Ready on a node is the agent there that kubelet has registered and that has published what the node has. */
    private void slices() {
        if (settings.hasSlices()) {
            Operand operand = new Operand(SLICES, NodeExposure.SLICES.operand(), "nvidia-slices-agent")
                    .rights("slices")
                    .file("slices-classes.yaml");
            if (settings.is("slices.dasNames")) {
                operand = operand.file("slices-das-classes.yaml");
            }
            states.add(state(operand.file("slices-agent.yaml", "slices-monitor.yaml"))
                    .reach(Reach.ownBarrier().leavingWithDriver())
                    .draDriver(Labels.SLICES_DRIVER)
                    .addAfter(VALIDATION)
                    .build());
        }
    }

    /**
     * A pod gets a GPU, and the node offers as many as it has. These are two states: while a GPU is missing, the second is not
     * ready, and the pod, which comes back where its state is not, would take one more from those who need it. In mixed MIG the
     * nodes offer different resources, which one DaemonSet cannot ask for: there they are only counted.
     */
    private void pluginValidation() {
        boolean mixed = Exposures.isMixed(settings);
        String before = PLUGIN;
        if (!mixed && isAsked("WITH_WORKLOAD")) {
            State.Builder workload = state(new Operand(WORKLOAD, "operator-validator", "nvidia-device-plugin-validator")
                            .file("plugin-validation.yaml"))
                    .reach(Reach.ownBarrier().leavingWhenReady())
                    .addAfter(PLUGIN);
            if (settings.hasSlices()) {
                // Elsewhere there is no device plugin to be proved.
                workload.putNodes(Labels.DEPLOY + NodeExposure.DEVICE_PLUGIN.operand(), "true");
            }
            states.add(workload.build());
            before = WORKLOAD;
        }
        State.Builder builder = State.builder()
                .id(PLUGIN_VALIDATION)
                // It has no pods that could leave; but so it is ready only on nodes where the states before are.
                .reach(Reach.ownBarrier().leavingWhenReady())
                .putNodes(Labels.DEPLOY + "operator-validator", "true")
                // While the MIG manager has the device plugin away, there is nothing to be compared.
                .putNodes(Labels.DEPLOY + "device-plugin", "true");
        if (isAsked("WITH_COUNT")) {
            builder.addReadiness(new ReadinessRule.AllocatableAsCounted("count-devices", MISSING, isShared()));
        }
        if (!mixed && !isShared()) {
            builder.addReadiness(ReadinessRule.allocatable(Labels.GPU, 1));
        }
        states.add(builder.addAfter(before).build());
    }

    private boolean isAsked(String validation) {
        return settings.maps("validator.plugin.env").stream()
                .noneMatch(env -> validation.equals(env.get("name")) && "false".equals(env.get("value")));
    }

    /** How often each device is offered is in a ConfigMap of the administrator, which is not read. */
    private boolean isShared() {
        return settings.maybe("devicePlugin.config.name").isPresent();
    }

    private void features() {
        if (settings.is("gfd.enabled")) {
            Operand operand = new Operand(FEATURES, "gpu-feature-discovery", "nvidia-gpu-feature-discovery");
            // The config manager beside it reads a label of the node.
            states.add(holding((isShared() ? operand.rights("nodes-read") : operand).file("gfd.yaml"))
                    .addAfter(VALIDATION)
                    .build());
        }
        if (settings.is("migManager.enabled")) {
            Operand operand = new Operand("9000-mig-manager", "mig-manager", "nvidia-mig-manager")
                    .rights("nodes-write")
                    .file("mig-manager.yaml");
            State.Builder manager = state(
                            settings.maybe("migManager.config.name").isPresent()
                                    ? operand
                                    : operand.file("mig-config.yaml"))
                    .addAfter(settings.is("gfd.enabled") ? FEATURES : VALIDATION);
            // Without a layout for all, nodes that nobody gave one to never have the label.
            boolean everyNode = settings.maybe("migManager.config.default").isPresent();
            manager.addReadiness(
                    everyNode
                            ? ReadinessRule.nodeLabel(Labels.MIG_STATE, "success", MIG_FAILURES)
                            : ReadinessRule.nodeLabelFailures(Labels.MIG_STATE, MIG_FAILURES));
            states.add(manager.build());
        }
    }

    private void claims() {
        states.add(state(new Operand(DRA, "dra-driver", "nvidia-dra-driver")
                        .rights("dra")
                        .file("device-classes.yaml", "dra-driver.yaml"))
                .draDriver(Labels.DRA_DRIVER)
                .addAfter(DRIVER)
                .build());
        states.add(
                state(new Operand(DRA_VALIDATION, "dra-validator", "nvidia-dra-validator").file("dra-validation.yaml"))
                        .reach(Reach.ownBarrier().leavingWhenReady())
                        .addAfter(DRA)
                        .build());
        exporter(DRA_VALIDATION);
    }

    private void exporter(String before) {
        String suffix = settings.isDra() ? "-dra" : "";
        boolean engine = settings.is("dcgm.enabled");
        if (engine) {
            states.add(holding(claiming(new Operand(ENGINE, "dcgm" + suffix, "nvidia-dcgm"))
                            .file("dcgm.yaml"))
                    .addAfter(settings.isDra() ? DRA : VALIDATION)
                    .build());
        }
        if (settings.is("dcgmExporter.enabled")) {
            State.Builder exporter = holding(exporterOperand(suffix)).addAfter(before);
            states.add((engine ? exporter.addAfter(ENGINE) : exporter).build());
        }
    }

    /** The first that needs it brings the template of the claim. */
    private Operand claiming(Operand operand) {
        return settings.isDra() ? operand.file("monitoring-claim.yaml") : operand;
    }

    private Operand exporterOperand(String suffix) {
        Operand operand = new Operand("6000-monitoring", "dcgm-exporter" + suffix, "nvidia-dcgm-exporter");
        operand = (settings.is("dcgm.enabled") ? operand : claiming(operand)).file("dcgm-exporter.yaml");
        if (settings.maybe("dcgmExporter.config.name").isEmpty()) {
            operand = operand.file("dcgm-counters.yaml");
        }
        List<String> rights = new ArrayList<>();
        if (settings.is("dcgmExporter.enablePodLabels")) {
            rights.add("pods-read");
        }
        if (settings.isDra()) {
            rights.add("slices-read");
        }
        return operand.rights(rights.toArray(new String[0]));
    }

    private void monitoring() {
        if (settings.is("nodeStatusExporter.enabled") && !settings.isDra()) {
            states.add(holding(new Operand(
                                    "6200-node-status-exporter", "node-status-exporter", "nvidia-node-status-exporter")
                            .rights("nodes-read")
                            .file("node-status-exporter.yaml", "node-status-monitor.yaml"))
                    .addAfter(DRIVER)
                    .build());
        }
    }

    private void sandboxes() {
        List<String> validated = new ArrayList<>();
        boolean vgpu = settings.maybe("vgpuManager.image").isPresent() && settings.is("vgpuManager.enabled");
        if (vgpu) {
            states.add(state(new Operand(VGPU, "vgpu-manager", "nvidia-vgpu-manager")
                            .rights("nodes-write", "evict")
                            .file("vgpu-manager.yaml"))
                    .build());
            validated.add(VGPU);
            if (settings.is("vgpuDeviceManager.enabled")
                    && settings.maybe("vgpuDeviceManager.config.name").isPresent()) {
                states.add(state(new Operand(VGPU_DEVICES, "vgpu-device-manager", "nvidia-vgpu-device-manager")
                                .rights("nodes-write")
                                .file("vgpu-device-manager.yaml"))
                        .addAfter(VGPU)
                        .build());
                validated.add(VGPU_DEVICES);
            }
        }
        if (settings.is("vfioManager.enabled")) {
            states.add(state(new Operand(VFIO, "vfio-manager", "nvidia-vfio-manager")
                            .rights("nodes-write", "evict")
                            .file("vfio-manager.yaml"))
                    .build());
            validated.add(VFIO);
        }
        if (settings.is("ccManager.enabled")) {
            states.add(state(new Operand(CONFIDENTIAL, "cc-manager", "nvidia-cc-manager")
                            .rights("nodes-write")
                            .file("cc-manager.yaml"))
                    .build());
            validated.add(CONFIDENTIAL);
        }
        states.add(state(new Operand(SANDBOX_VALIDATION, "sandbox-validator", "nvidia-sandbox-validator")
                        .rights("nodes-read")
                        .file("sandbox-validation.yaml"))
                .addAllAfter(validated)
                .build());
        sandboxPlugins();
    }

    private void sandboxPlugins() {
        if (settings.is("sandboxDevicePlugin.enabled")) {
            states.add(state(new Operand(
                                    "4200-sandbox-device-plugin",
                                    "sandbox-device-plugin",
                                    "nvidia-sandbox-device-plugin")
                            .file("sandbox-device-plugin.yaml"))
                    .addAfter(SANDBOX_VALIDATION)
                    .build());
        }
        if (settings.isKata() && settings.is("kataSandboxDevicePlugin.enabled")) {
            states.add(state(new Operand(
                                    "4300-kata-sandbox-device-plugin",
                                    "kata-sandbox-device-plugin",
                                    "nvidia-kata-sandbox-device-plugin")
                            .file("kata-sandbox-device-plugin.yaml"))
                    .addAfter(SANDBOX_VALIDATION)
                    .build());
        }
    }

    /** Of an operand that may hold GPUs open on a node with slices: no GPU is reset under it, and it sees what came of that. */
    private State.Builder holding(Operand operand) {
        State.Builder state = state(operand);
        return settings.hasResets() ? state.reach(Reach.ownBarrier().leavingWithDriver()) : state;
    }

    private State.Builder state(Operand operand) {
        return operand.state(settings);
    }
}
