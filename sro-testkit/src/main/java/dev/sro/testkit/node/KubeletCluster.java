package dev.sro.testkit.node;

import dev.sro.testkit.controlplane.Component;
import dev.sro.testkit.controlplane.ControlPlane;
import dev.sro.testkit.controlplane.RealCluster;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A cluster whose nodes are kubelets of this machine: a control plane of its own, a registry, and no node until one is added. Nodes and
 * their pods reach the API server at {@code 10.96.0.1} and the registry, and nothing else. There is no DNS in it, no proxy for services and
 * nothing that enforces NetworkPolicies until {@link #enforceNetworkPolicies}; the API server reaches pods behind services, as for webhooks. Nothing of it is left after {@link #close}; nodes end with the JVM. Thread-safe.
 */
public final class KubeletCluster implements AutoCloseable {
    private static final Duration READY = Duration.ofMinutes(1);
    private static final int MOST_NODES = 4;

    private final KubeletPrograms programs;
    private final Map<String, String> tokens;
    private final KubeletTunnel tunnel;
    private final ControlPlane controlPlane;
    private final ImageRegistry images;
    private final Path home;
    private final List<SocketJoint> open = new ArrayList<>();
    private final List<KubeletNode> nodes = new ArrayList<>();
    private @Nullable NetworkPolicies policies;

    private KubeletCluster(
            KubeletPrograms programs, Map<String, String> tokens, KubeletTunnel tunnel, ControlPlane controlPlane) {
        this.programs = programs;
        this.tokens = tokens;
        this.tunnel = tunnel;
        this.controlPlane = controlPlane;
        try {
            this.home = Files.createDirectory(controlPlane.directory().resolve("nodes"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.images = ImageRegistry.start(home.resolve("registry"));
        // What holds the namespaces of each pod, and what tests may run in one.
        images.addProgram(programs.file("probe"), "test/probe:1", "pause");
    }

    static KubeletCluster start(KubeletPrograms programs) {
        KubeletTunnel tunnel = KubeletTunnel.start();
        Map<String, String> tokens = tokens();
        ControlPlane controlPlane = null;
        try {
            ControlPlane.Builder builder = ControlPlane.builder(NodeCluster.withoutToys(programs.controlPlane()));
            List.of(
                            // Beside RBAC, which the control plane asks for itself.
                            "--authorization-mode=Node",
                            "--enable-admission-plugins=NodeRestriction",
                            "--kubelet-preferred-address-types=InternalIP",
                            // There is no proxy for services: it goes to a pod that is behind one.
                            "--enable-aggregator-routing=true",
                            "--egress-selector-config-file=" + tunnel.egressSelector())
                    .forEach(argument -> builder.argument(Component.API_SERVER, argument));
            tokens.forEach((name, token) -> builder.user("system:node:" + name, token, "system:nodes"));
            controlPlane = builder.start();
            return new KubeletCluster(programs, tokens, tunnel, controlPlane);
        } catch (RuntimeException e) {
            tunnel.close();
            if (controlPlane != null) {
                controlPlane.close();
            }
            throw e;
        }
    }

    /** Of nodes whose names no other run of this machine has. */
    private static Map<String, String> tokens() {
        SecureRandom random = new SecureRandom();
        byte[] bytes = new byte[24];
        random.nextBytes(bytes);
        String run = HexFormat.of().formatHex(bytes, 0, 3);
        Map<String, String> tokens = new TreeMap<>();
        for (int i = 0; i < MOST_NODES; i++) {
            random.nextBytes(bytes);
            tokens.put("sro-" + run + "-" + (i + 1), HexFormat.of().formatHex(bytes));
        }
        return tokens;
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

    /**
     * What nodes pull images from, whatever registry they name. It has {@code test/probe:1}: a program that does nothing, and with the
     * argument {@code hold} prints its environment and the files of {@code /dev}, and takes connections at port 8080.
     */
    public ImageRegistry images() {
        return images;
    }

    /** The registry's name for what asks it from here, which nodes know, too; it speaks plain HTTP. */
    public String registry() {
        return "localhost:" + images.address().getPort();
    }

    /**
     * Puts images into the registry that stand in for others: a shell with the usual programs, the device plugin
     * {@code /bin/devices [--cdi KIND] RESOURCE COUNT NAME=VALUE...} (with CDI's names of devices, {@code KIND=0} and so on), and scripts that do what the others promise. All are of the same files.
     *
     * @param scripts by paths in the images
     * @param entries how they start, by repository and tag without a registry
     */
    public void addStandIns(Map<String, String> scripts, Map<String, StandIn> entries) {
        StandIns.add(programs, images, scripts, entries);
    }

    /** Puts labels onto a node, as others than the operator do. */
    public void label(KubeletNode node, Map<String, String> labels) {
        client().nodes().withName(node.name()).edit(live -> {
            live.getMetadata().getLabels().putAll(labels);
            return live;
        });
    }

    /** Starts a kubelet, and waits until its node is ready. */
    public synchronized KubeletNode add() {
        if (nodes.size() == MOST_NODES) {
            throw new IllegalStateException("a cluster has at most " + MOST_NODES + " nodes");
        }
        int index = nodes.size();
        String name = List.copyOf(tokens.keySet()).get(index);
        String address = "10.89.0." + (index + 1);
        Path folder = files(name);
        int api = URI.create(controlPlane.config().getMasterUrl()).getPort();
        open.add(SocketJoint.start(
                folder.resolve("api.sock"), new InetSocketAddress(InetAddress.getLoopbackAddress(), api)));
        open.add(SocketJoint.start(folder.resolve("registry.sock"), images.address()));
        tunnel.route(address + ":10250", UnixDomainSocketAddress.of(folder.resolve("kubelet.sock")));
        String pods = "10.88." + (index + 1) + ".";
        tunnel.routePods(pods, UnixDomainSocketAddress.of(folder.resolve("pods.sock")));
        KubeletNode node = KubeletNode.start(List.of(folder.toString(), name, address, pods + "0/24"), programs);
        nodes.add(node);
        Pause.until(
                READY,
                () -> {
                    node.requireAlive();
                    return isReady(name);
                },
                () -> name + " is not ready after " + READY.toSeconds() + " s:" + node.said());
        label(node, features(node));
        if (policies != null) {
            policies.enforceOn(node);
        }
        return node;
    }

    /**
     * Has NetworkPolicies enforced on all nodes, also those that are added later, by kube-router's firewall: between pods, and not towards
     * the API server. A policy is in force a moment after it was written. It takes {@code iptables} and {@code ipset} of the machine.
     *
     * @param kubeRouter the program, as {@code .ci/kube-router/build.sh} builds it
     * @throws RealNodeException if it does not start
     */
    public synchronized void enforceNetworkPolicies(Path kubeRouter) {
        policies = NetworkPolicies.of(controlPlane, kubeRouter);
        nodes.forEach(policies::enforceOn);
    }

    /** What Node Feature Discovery, which does not run here, would say of it. */
    private static Map<String, String> features(KubeletNode node) {
        return NodeFeatures.of(
                node.run("uname -r").output().trim(),
                node.run("cat /etc/os-release").output());
    }

    private Path files(String name) {
        try {
            Path folder = Files.createDirectory(home.resolve(name));
            Files.writeString(
                    folder.resolve("kubelet.kubeconfig"),
                    NodeKubeconfig.of(
                            Objects.requireNonNull(controlPlane.config().getCaCertFile()),
                            Objects.requireNonNull(tokens.get(name))));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the files of " + name, e);
        }
    }

    private boolean isReady(String name) {
        Node node = client().nodes().withName(name).get();
        return node != null
                && node.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
    }

    /** What is with pods, what the cluster's events say and its nodes wrote last, for the message of a test that waited in vain. */
    public String said() {
        StringBuilder all = new StringBuilder();
        client().pods()
                .inAnyNamespace()
                .list()
                .getItems()
                .forEach(pod -> all.append('\n').append(PodLine.of(pod)));
        client().v1()
                .events()
                .inAnyNamespace()
                .list()
                .getItems()
                .forEach(event -> all.append('\n')
                        .append(event.getInvolvedObject().getKind())
                        .append(' ')
                        .append(event.getInvolvedObject().getName())
                        .append(": ")
                        .append(event.getReason())
                        .append(": ")
                        .append(event.getMessage()));
        synchronized (this) {
            nodes.forEach(node -> all.append(node.said()));
        }
        return all.toString();
    }

    /** Waits until a condition holds; a request that fails in it counts as not yet. */
    public void await(String what, Duration limit, BooleanSupplier condition) {
        Pause.until(
                limit,
                () -> {
                    try {
                        return condition.getAsBoolean();
                    } catch (KubernetesClientException notYet) {
                        return false;
                    }
                },
                () -> "waited " + limit.toSeconds() + " s until " + what + said());
    }

    /** What a pod's container wrote, its last start. */
    public String log(String namespace, String pod) {
        return client().pods().inNamespace(namespace).withName(pod).getLog();
    }

    /** Ends all nodes, servers and processes, and removes all files. */
    @Override
    public synchronized void close() {
        nodes.forEach(KubeletNode::close);
        for (SocketJoint each : open) {
            each.close();
        }
        images.close();
        tunnel.close();
        controlPlane.close();
    }
}
