package dev.sro.testkit.node;

import dev.sro.testkit.controlplane.Binaries;
import dev.sro.testkit.controlplane.Component;
import dev.sro.testkit.controlplane.ControlPlane;
import dev.sro.testkit.controlplane.RealCluster;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster of real machines: a control plane of its own, a registry with the images of the rig, git over HTTP, and no machine until one is
 * added. The machines have a network each, in which the host is {@link #HOST}: they reach the API server, the registry and git, and nothing
 * else. Nothing of it is left after {@link #close}; what a killed JVM leaves, the next control plane of the same user ends. Thread-safe.
 */
public final class NodeCluster implements AutoCloseable {
    /** The host, for machines. */
    public static final String HOST = "10.0.2.2";

    private static final Logger LOG = LoggerFactory.getLogger(NodeCluster.class);
    private static final Duration READY = Duration.ofMinutes(5);
    private static final int FIRST_ADDRESS = 15;
    private static final int MOST_MACHINES = 8;

    private final Rig rig;
    private final Acceleration.Choice acceleration;
    private final NodeFiles files;
    private final ControlPlane controlPlane;
    private final Path home;
    private final KubeletTunnel tunnel;
    private final Registry registry;
    private final GitServer git;
    private final Map<String, Machine> machines = new LinkedHashMap<>();
    private final Map<String, String> labels = new TreeMap<>();
    private final Thread atExit = new Thread(this::stopMachines, "node-cluster-exit");
    private int used;

    private NodeCluster(
            Rig rig,
            Acceleration.Choice acceleration,
            KubeletTunnel tunnel,
            NodeFiles files,
            ControlPlane controlPlane) {
        this.rig = rig;
        this.acceleration = acceleration;
        this.files = files;
        this.controlPlane = controlPlane;
        this.tunnel = tunnel;
        try {
            this.home = Files.createDirectory(controlPlane.directory().resolve("nodes"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.registry = Registry.start(rig, home);
        this.git = GitServer.start(home.resolve("git"));
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    static NodeCluster start(Rig rig) {
        Acceleration.Choice choice = Acceleration.ofThisMachine(rig);
        LOG.info("machines run by {}", choice.reason());
        KubeletTunnel tunnel = KubeletTunnel.start();
        NodeFiles files = NodeFiles.create(MOST_MACHINES);
        ControlPlane controlPlane = null;
        try {
            controlPlane = start(rig, tunnel, files);
            return new NodeCluster(rig, choice, tunnel, files, controlPlane);
        } catch (RuntimeException e) {
            tunnel.close();
            if (controlPlane != null) {
                controlPlane.close();
            }
            throw e;
        }
    }

    private static ControlPlane start(Rig rig, KubeletTunnel tunnel, NodeFiles files) {
        ControlPlane.Builder builder = ControlPlane.builder(withoutToys(rig.controlPlane()));
        List.of(
                        "--advertise-address=" + HOST,
                        // Beside RBAC, which the control plane asks for itself.
                        "--authorization-mode=Node",
                        "--enable-admission-plugins=NodeRestriction",
                        "--kubelet-preferred-address-types=InternalIP",
                        "--kubelet-client-certificate=" + rig.file("apiserver.crt"),
                        "--kubelet-client-key=" + rig.file("apiserver.key"),
                        "--egress-selector-config-file=" + tunnel.egressSelector())
                .forEach(argument -> builder.argument(Component.API_SERVER, argument));
        files.tokens().forEach((name, token) -> builder.user("system:node:" + name, token, "system:nodes"));
        return builder.start();
    }

    /** KWOK would answer for the pods of real nodes. */
    static Binaries withoutToys(Binaries all) {
        Map<Component, Path> files = new EnumMap<>(all.files());
        files.remove(Component.KWOK);
        return new Binaries(files);
    }

    /** The control plane. */
    public ControlPlane controlPlane() {
        return controlPlane;
    }

    /** The administrator's client. */
    public KubernetesClient client() {
        return controlPlane.client();
    }

    /**
     * A part of this cluster for what a test makes in it, with a namespace of its own.
     *
     * @param test what the namespace is named after
     */
    public RealCluster namespace(String test) {
        return RealCluster.on(controlPlane, test);
    }

    /** The kernels that machines can be started with, as {@code uname -r} prints them, the older one first. */
    public List<String> kernels() {
        return rig.kernels();
    }

    /** What runs the machines' instructions, KVM or emulation, and why: one line for a log. Emulation takes ten times as long. */
    public String acceleration() {
        return acceleration.reason();
    }

    /** What serves sources to builds. */
    public GitServer git() {
        return git;
    }

    /** The registry's name, the same here and on machines; it speaks plain HTTP. */
    public String registry() {
        return "localhost:" + Registry.PORT;
    }

    /** The registry's name in the network of the machines, so for pods, too, and as it speaks plain HTTP, to those that are told so. */
    public String podRegistry() {
        return HOST + ":" + Registry.PORT;
    }

    /**
     * Has a label set on each node that is started from now on: what Node Feature Discovery, which does not run here, would say
     * otherwise than the machine itself.
     */
    public synchronized void label(String key, String value) {
        labels.put(key, value);
    }

    /**
     * Adds a machine, starts it with a kernel, and waits until its node is ready.
     *
     * @param kernel one of {@link #kernels}
     */
    public Machine add(String kernel) {
        Machine machine = create();
        machine.start(kernel);
        return machine;
    }

    private synchronized Machine create() {
        if (used == MOST_MACHINES) {
            throw new IllegalStateException("a cluster has at most " + MOST_MACHINES + " machines");
        }
        String name = NodeFiles.name(used);
        String address = "10.0.2." + (FIRST_ADDRESS + used);
        used++;
        int port = freePort();
        tunnel.route(address + ":10250", new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        Path folder = files.write(home, name, address, controlPlane.config(), rig.file("kubelet-clients.crt"));
        RigProcess.run(
                List.of(
                        "cp",
                        "-L",
                        "--sparse=always",
                        rig.file("root.img").toString(),
                        folder.resolve("disk.img").toString()),
                folder,
                "copy",
                Duration.ofMinutes(5));
        Machine machine = new Machine(
                name, folder, rig, new QemuCommand(rig, acceleration.acceleration(), port, address), this::awaitNode);
        machines.put(name, machine);
        return machine;
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port", e);
        }
    }

    /** The node is ready, and it is the machine of this start that says so; then it is labelled. */
    private void awaitNode(Machine machine) {
        String boot = machine.read("/proc/sys/kernel/random/boot_id").trim();
        Pause.until(
                READY,
                () -> node(machine).filter(node -> isReady(node, boot)).isPresent(),
                () -> machine.name()
                        + " is not ready " + READY.toMinutes() + " minutes after its start. Its kubelet said last: "
                        + machine.run("tail -n 12 /var/log/kubelet.log").output());
        Map<String, String> features = NodeFeatures.of(machine);
        synchronized (this) {
            features.putAll(labels);
        }
        client().nodes().withName(machine.name()).edit(node -> {
            node.getMetadata().getLabels().putAll(features);
            return node;
        });
    }

    /** The node of a machine, if its kubelet has registered it. */
    public Optional<Node> node(Machine machine) {
        return Optional.ofNullable(client().nodes().withName(machine.name()).get());
    }

    private static boolean isReady(Node node, String boot) {
        return boot.equals(node.getStatus().getNodeInfo().getBootID())
                && node.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
    }

    private synchronized void stopMachines() {
        machines.values().forEach(Machine::powerOff);
        registry.close();
    }

    /** Ends all machines and servers, and removes all files. */
    @Override
    public void close() {
        stopMachines();
        git.close();
        tunnel.close();
        controlPlane.close();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException exiting) {
            // It runs already.
        }
    }
}
